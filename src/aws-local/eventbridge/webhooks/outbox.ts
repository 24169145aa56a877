import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { messageOf } from '../../../common/message-of.ts';
import { StartError } from '../../server/start-error.ts';
import type { WebhookMessage } from './webhook-message.ts';

/**
 * The number of recent messages, for all webhooks together, whose ids are kept after delivery so that repeats are
 * dropped.
 */
const maximumRememberedMessages = 100_000;

/**
 * The error codes of SQLite for a damaged file.
 *
 * @see https://www.sqlite.org/rescode.html#corrupt
 */
const damageCodes = [11, 26];

/** A message that is waiting for delivery to a webhook. */
export interface PendingMessage extends WebhookMessage {
  readonly sequence: number;
  readonly webhook: string;
  /** When the message was stored, in milliseconds since 1970. */
  readonly putAt: number;
  /** The number of consecutive failed deliveries. */
  readonly failures: number;
}

/*
 * A lane exists while it has waiting messages. The `dueAt` of a lane is the due time of its first message, or null
 * while this message is in flight. A message without a body is settled.
 */
const schema = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS messages (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook TEXT NOT NULL,
    id TEXT NOT NULL,
    lane TEXT NOT NULL,
    putAt INTEGER NOT NULL,
    body TEXT,
    UNIQUE (webhook, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS waiting ON messages (webhook, lane, sequence) WHERE body IS NOT NULL;
  CREATE INDEX IF NOT EXISTS done ON messages (sequence) WHERE body IS NULL;
  CREATE TABLE IF NOT EXISTS lanes (
    webhook TEXT NOT NULL,
    lane TEXT NOT NULL,
    dueAt INTEGER,
    failures INTEGER NOT NULL,
    PRIMARY KEY (webhook, lane)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS due ON lanes (webhook, dueAt);
`;

/**
 * Stores messages, in order within each lane, until each webhook has accepted them or they are dropped. After a crash,
 * all stored messages remain and are due immediately.
 */
export class Outbox implements Disposable {
  readonly #database: DatabaseSync;
  readonly #webhooks: readonly string[];
  readonly #statements = new Map<string, StatementSync>();

  /**
   * @param path the file of the database, or null to keep the database in memory.
   * @param webhooks the URLs of the webhooks; stored messages for other webhooks are deleted.
   * @throws StartError if the file cannot be used, for example because it is damaged or another process locks it.
   */
  constructor(path: string | null, webhooks: readonly string[]) {
    this.#webhooks = webhooks;
    try {
      this.#database = new DatabaseSync(path ?? ':memory:');
      this.#database.exec(schema);
      this.#transaction(() => {
        const wanted = JSON.stringify(webhooks);
        for (const table of ['messages', 'lanes'])
          this.#run(
            `DELETE FROM ${table} WHERE webhook NOT IN (SELECT value FROM json_each(?))`,
            wanted,
          );
        this.#run('UPDATE lanes SET dueAt = 0');
      });
    } catch (error) {
      const isDamaged = damageCodes.includes((error as { errcode?: number }).errcode ?? 0);
      const remedy = isDamaged
        ? '; restore the file, or delete it to discard the messages that wait for webhooks'
        : '';
      throw new StartError(`${path} cannot be used: ${messageOf(error)}${remedy}`, {
        cause: error,
      });
    }
  }

  /**
   * Stores messages for every webhook. Drops a message if the outbox already contains its id, even if that message was
   * settled recently.
   */
  put(messages: readonly WebhookMessage[], now: number): void {
    this.#transaction(() => {
      for (const { id, lane, body } of messages)
        for (const webhook of this.#webhooks) {
          const { changes } = this.#run(
            'INSERT OR IGNORE INTO messages (webhook, id, lane, putAt, body) VALUES (?, ?, ?, ?, ?)',
            ...[webhook, id, lane, now, body],
          );
          if (changes === 0) continue;
          this.#run('INSERT OR IGNORE INTO lanes VALUES (?, ?, ?, 0)', webhook, lane, now);
        }
    });
  }

  /** Returns a message that is due, and blocks its lane until `settle` or `retry` is called for the message. */
  takeNext(webhook: string, now: number): PendingMessage | undefined {
    const lane = this.#get<{ lane: string; failures: number }>(
      'SELECT lane, failures FROM lanes WHERE webhook = ? AND dueAt <= ? ORDER BY dueAt LIMIT 1',
      ...[webhook, now],
    );
    if (!lane) return undefined;
    // Read the message before blocking the lane so that a lane whose message cannot be read is not blocked.
    const first = this.#first(webhook, lane.lane)!;
    this.#setDue(webhook, lane.lane, null, lane.failures);
    return { ...first, failures: lane.failures };
  }

  /** Returns when the next message is due, in milliseconds since 1970, or undefined if none is scheduled. */
  nextDue(webhook: string): number | undefined {
    return this.#get<{ dueAt: number }>(
      'SELECT dueAt FROM lanes WHERE webhook = ? AND dueAt IS NOT NULL ORDER BY dueAt LIMIT 1',
      webhook,
    )?.dueAt;
  }

  /** Makes all scheduled messages of a webhook due. */
  makeDue(webhook: string): void {
    this.#run('UPDATE lanes SET dueAt = 0 WHERE webhook = ? AND dueAt IS NOT NULL', webhook);
  }

  /** Marks a message as delivered or dropped. The next message in its lane becomes due. */
  settle({ webhook, lane, sequence }: PendingMessage, now: number): void {
    this.#transaction(() => {
      this.#run('UPDATE messages SET body = NULL WHERE sequence = ?', sequence);
      if (this.#first(webhook, lane)) this.#setDue(webhook, lane, now, 0);
      else this.#run('DELETE FROM lanes WHERE webhook = ? AND lane = ?', webhook, lane);
      this.#run(
        `DELETE FROM messages WHERE body IS NULL
         AND sequence <= (SELECT seq FROM sqlite_sequence WHERE name = 'messages') - ?`,
        maximumRememberedMessages,
      );
    });
  }

  /** Schedules another attempt for a message. */
  retry({ webhook, lane, failures }: PendingMessage, dueAt: number): void {
    this.#setDue(webhook, lane, dueAt, failures + 1);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #first(webhook: string, lane: string): Omit<PendingMessage, 'failures'> | undefined {
    return this.#get(
      `SELECT sequence, webhook, id, lane, putAt, body FROM messages
       WHERE webhook = ? AND lane = ? AND body IS NOT NULL ORDER BY sequence LIMIT 1`,
      ...[webhook, lane],
    );
  }

  #setDue(webhook: string, lane: string, dueAt: number | null, failures: number): void {
    this.#run(
      'UPDATE lanes SET dueAt = ?, failures = ? WHERE webhook = ? AND lane = ?',
      ...[dueAt, failures, webhook, lane],
    );
  }

  #run(sql: string, ...values: (string | number | null)[]) {
    return this.#prepared(sql).run(...values);
  }

  #get<Row>(sql: string, ...values: (string | number | null)[]): Row | undefined {
    return this.#prepared(sql).get(...values) as Row | undefined;
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #transaction(act: () => void): void {
    this.#database.exec('BEGIN');
    try {
      act();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}
