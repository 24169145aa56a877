import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { messageOf } from '../../../common/message-of.ts';
import { StartError } from '../../server/start-error.ts';
import type { WebhookMessage } from './webhook-message.ts';

/** How many messages that are done with are remembered, so that repeats of them are dropped. */
const maximumRememberedMessages = 100_000;

/** A message on its way to a webhook. */
export interface PendingMessage extends WebhookMessage {
  readonly sequence: number;
  readonly webhook: string;
  /** When it was put, milliseconds since 1970. */
  readonly putAt: number;
  /** How often its delivery failed in a row. */
  readonly failures: number;
}

/*
 * A lane is there while it has messages that wait; its time is when the first of them is due, or
 * null while that one is on its way. A message without a body is done with.
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
 * What has to be delivered, to each webhook, in order within each lane. It survives the end of the
 * process at any moment: what was put is there again, and what was on its way is due at once.
 */
export class Outbox implements Disposable {
  readonly #database: DatabaseSync;
  readonly #webhooks: readonly string[];
  readonly #statements = new Map<string, StatementSync>();

  /**
   * @param path the database's file; null: in memory.
   * @param webhooks what was to go to any other is dropped.
   * @throws StartError when the file cannot be used, by another process's holding it too.
   */
  constructor(path: string | null, webhooks: readonly string[]) {
    this.#webhooks = webhooks;
    try {
      this.#database = new DatabaseSync(path ?? ':memory:');
      this.#database.exec(schema);
      this.#atOnce(() => {
        const wanted = JSON.stringify(webhooks);
        for (const table of ['messages', 'lanes'])
          this.#run(
            `DELETE FROM ${table} WHERE webhook NOT IN (SELECT value FROM json_each(?))`,
            wanted,
          );
        this.#run('UPDATE lanes SET dueAt = 0');
      });
    } catch (error) {
      throw new StartError(`${path} cannot be used: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Keeps messages for every webhook; those that it has or had already are dropped. */
  put(messages: readonly WebhookMessage[], now: number): void {
    this.#atOnce(() => {
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

  /** A message that is due; its lane is then held until it is done with or tried again. */
  takeNext(webhook: string, now: number): PendingMessage | undefined {
    const lane = this.#get<{ lane: string; failures: number }>(
      'SELECT lane, failures FROM lanes WHERE webhook = ? AND dueAt <= ? ORDER BY dueAt LIMIT 1',
      ...[webhook, now],
    );
    if (!lane) return undefined;
    this.#setDue(webhook, lane.lane, null, lane.failures);
    return { ...this.#first(webhook, lane.lane)!, failures: lane.failures };
  }

  /** When a message will be due, milliseconds since 1970; undefined while none waits for that. */
  nextDue(webhook: string): number | undefined {
    return this.#get<{ dueAt: number }>(
      'SELECT dueAt FROM lanes WHERE webhook = ? AND dueAt IS NOT NULL ORDER BY dueAt LIMIT 1',
      webhook,
    )?.dueAt;
  }

  /** A message was taken, or is given up: what comes after it in its lane is due. */
  settle({ webhook, lane, sequence }: PendingMessage, now: number): void {
    this.#atOnce(() => {
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

  /** A message was not taken: it is due again at a time. */
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

  #atOnce(act: () => void): void {
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
