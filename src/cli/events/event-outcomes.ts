import pMap from 'p-map';
import * as v from 'valibot';
import { type InstanceKey, isInstanceKey } from '../../core/event/event.ts';
import { refusalOfPath } from '../../routes/request-path.ts';
import { type ApiClient, ApiError, isTemporary } from '../client/api-client.ts';
import { instancePath } from '../client/api-paths.ts';
import { pageLimit, readAllPages } from '../client/read-all-pages.ts';
import {
  type EventOutcome,
  eventKey,
  instanceEventKey,
  instanceKey,
  outcome,
} from './event-outcome.ts';
import { parseSentEvent, type SentEvent } from './sent-event.ts';

/** The maximum number of histories to read in parallel. */
const concurrency = 8;

/**
 * The maximum difference, in milliseconds, between the clocks that set the times of dead letters. Because the clocks
 * differ, a new dead letter can be listed below an earlier dead letter.
 */
const clockSkewMs = 60_000;

// Strings are not escaped here, because they are compared. They are escaped when they are printed.
const entries = v.object({
  entries: v.array(
    v.object({
      event: v.object({ id: v.string(), source: v.string() }),
      outcome: v.picklist(['applied', 'rejected']),
      reason: v.nullish(v.string(), null),
      status: v.string(),
    }),
  ),
});

const letters = v.object({
  deadLetters: v.array(
    v.object({ id: v.string(), at: v.string(), reason: v.string(), raw: v.string() }),
  ),
});

type Entry = v.InferOutput<typeof entries>['entries'][number];

/** The position in the history of an instance where the next read starts. */
interface HistoryPosition {
  /** The cursor of the last page, which is read again for new entries. */
  cursor: string | undefined;
  /** The keys of the events up to the position. */
  readonly seen: Set<string>;
  status: string | null;
}

/**
 * Finds the outcomes of sent events in the histories of their instances and in the dead letters.
 *
 * Call `prepare` before events are sent, `add` after they are accepted, and `poll` until no event is pending or `stop`
 * is called. `prepare` throws `ApiError`; `poll` throws `ApiError` only for permanent errors.
 */
export class EventOutcomes {
  readonly #api: ApiClient;
  readonly #histories = new Map<string, HistoryPosition>();
  /**
   * The reason for each instance whose stored data the service could not read before events were sent. Only dead
   * letters show the outcomes of such an instance's events.
   */
  readonly #unreadable = new Map<string, string>();
  /** The accepted events without a known outcome, by instance and event key, in the order in which they were sent. */
  readonly #pending = new Map<string, SentEvent[]>();
  readonly #oldLetters = new Set<string>();
  readonly #stopped = new AbortController();
  #lettersSince: number | undefined;
  /** The outcomes that became known since the latest `poll`. */
  #known: EventOutcome[] = [];
  #pendingEvents = 0;
  #failure: ApiError | undefined;

  /** @param apiUntil creates a client whose requests are aborted by the signal. */
  constructor(apiUntil: (signal: AbortSignal) => ApiClient) {
    this.#api = apiUntil(this.signal);
  }

  /** The number of events without a known outcome. */
  get pending(): number {
    return this.#pendingEvents;
  }

  /** The temporary error of the latest `poll`; undefined if it succeeded. */
  get failure(): ApiError | undefined {
    return this.#failure;
  }

  /** The signal that `stop` aborts. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  get isStopped(): boolean {
    return this.signal.aborted;
  }

  /** Aborts the requests of `poll`, which then returns the outcomes found so far. */
  stop(): void {
    this.#stopped.abort();
  }

  /**
   * Reads the existing histories before events are sent, to distinguish duplicates from applied events. Skips events
   * that the service rejects because of their model id or transaction id, which may have no URL.
   */
  async prepare(events: readonly SentEvent[]): Promise<void> {
    this.#lettersSince ??= await this.#readOldLetters();
    const unread = events.filter(
      (event) => isInstanceKey(event) && !this.#histories.has(instanceKey(event)),
    );
    const keys = new Map(unread.map((event) => [instanceKey(event), event]));
    await pMap(keys, ([name, key]) => this.#prepareInstance(name, key), { concurrency });
  }

  async #prepareInstance(name: string, key: InstanceKey): Promise<void> {
    try {
      await this.#readEntries(key);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 500)) throw error;
      this.#unreadable.set(name, error.message);
    }
  }

  /** Adds events that the service accepted, and returns the outcomes that are already known. */
  add(events: readonly SentEvent[]): EventOutcome[] {
    return events.flatMap((event) => {
      const refusal = refusalOfPath(event.transaction);
      if (refusal !== undefined) return outcome(event, 'unknown', { reason: refusal });
      const history = this.#histories.get(instanceKey(event));
      if (history?.seen.has(eventKey(event)))
        return outcome(event, 'duplicate', { status: history.status });
      const name = instanceEventKey(event);
      const same = this.#pending.get(name);
      if (same) same.push(event);
      else this.#pending.set(name, [event]);
      this.#pendingEvents++;
      return [];
    });
  }

  /**
   * Reads new history entries and dead letters, and returns the outcomes that became known. After a temporary error,
   * the next call continues.
   */
  async poll(): Promise<EventOutcome[]> {
    const events = [...this.#pending.values()].flat();
    const readable = events.filter((event) => !this.#unreadable.has(instanceKey(event)));
    const instances = new Map(readable.map((event) => [instanceKey(event), event]));
    this.#failure = undefined;
    await pMap(instances, ([, key]) => this.#unlessFailed(() => this.#readApplied(key)), {
      concurrency,
    });
    if (this.#pending.size > 0) await this.#unlessFailed(() => this.#readLetters());
    return this.#known.splice(0);
  }

  /**
   * Calls `read`, unless an earlier read failed or `stop` was called. Remembers a temporary error instead of throwing
   * it.
   */
  async #unlessFailed(read: () => Promise<void>): Promise<void> {
    if (this.#failure || this.isStopped) return;
    try {
      await read();
    } catch (error) {
      if (error instanceof ApiError && isTemporary(error)) this.#failure = error;
      else if (!this.isStopped) throw error;
    }
  }

  /** Stops waiting for the pending events, and returns the outcome `unknown` for each. */
  giveUp(): EventOutcome[] {
    const rest = [...this.#pending.values()].flat();
    this.#pending.clear();
    this.#pendingEvents = 0;
    return rest.map((event) => {
      const reason = this.#unreadable.get(instanceKey(event)) ?? null;
      return outcome(event, 'unknown', { reason });
    });
  }

  async #readApplied({ model, transaction }: InstanceKey): Promise<void> {
    await this.#readEntries({ model, transaction }, (entry) => {
      const { event, outcome: kind, reason, status } = entry;
      const [first, ...again] = this.#settle({ model, transaction, ...event });
      if (!first) return;
      const repeated = again.map((each) => outcome(each, 'duplicate', { status }));
      this.#known.push(outcome(first, kind, { reason, status }), ...repeated);
    });
  }

  /** Removes and returns the pending events with the same key as an event. */
  #settle(event: SentEvent): readonly SentEvent[] {
    const name = instanceEventKey(event);
    const events = this.#pending.get(name) ?? [];
    this.#pending.delete(name);
    this.#pendingEvents -= events.length;
    return events;
  }

  /** Reads the entries that were added to a history since the last read. @param onEntry called for each new entry. */
  async #readEntries(key: InstanceKey, onEntry?: (entry: Entry) => void): Promise<void> {
    if (refusalOfPath(key.transaction) !== undefined) return;
    const name = instanceKey(key);
    const history = this.#histories.get(name) ?? {
      cursor: undefined,
      seen: new Set(),
      status: null,
    };
    this.#histories.set(name, history);
    const path = `${instancePath(key.model, key.transaction)}/history`;
    const ask = (cursor = history.cursor) => {
      history.cursor = cursor;
      return this.#api.get(path, { limit: pageLimit, cursor });
    };
    try {
      for await (const { answer } of readAllPages(ask))
        for (const entry of answer.read(entries).entries) {
          if (history.seen.has(eventKey(entry.event))) continue;
          history.seen.add(eventKey(entry.event));
          history.status = entry.status;
          onEntry?.(entry);
        }
    } catch (error) {
      // A 404 means that the instance does not exist yet.
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }

  async #readLetters(): Promise<void> {
    const since = this.#lettersSince ?? -Infinity;
    const ask = (cursor?: string) => this.#api.get('/dead-letters', { limit: pageLimit, cursor });
    for await (const { answer } of readAllPages(ask)) {
      const { deadLetters } = answer.read(letters);
      for (const { id, at, reason, raw } of deadLetters) {
        if (Date.parse(at) < since || this.#oldLetters.has(id)) continue;
        const event = parseSentEvent(Buffer.from(raw, 'base64').toString());
        if (event && this.#pending.has(instanceEventKey(event))) {
          const kind = await this.#whereParked(event);
          const more = { reason, deadLetter: id };
          this.#known.push(...this.#settle(event).map((each) => outcome(each, kind, more)));
        }
        this.#oldLetters.add(id);
      }
      const last = deadLetters.at(-1);
      if (last && Date.parse(last.at) < since) break;
    }
  }

  /** Returns `parked` for an event with a dead letter if its instance has parked events, otherwise `dead-letter`. */
  async #whereParked({ model, transaction }: SentEvent): Promise<'parked' | 'dead-letter'> {
    // The events of an unreadable instance are parked because the model cannot read the stored data either.
    if (this.#unreadable.has(instanceKey({ model, transaction }))) return 'parked';
    try {
      const answer = await this.#api.get(instancePath(model, transaction));
      return answer.read(v.object({ parked: v.number() })).parked > 0 ? 'parked' : 'dead-letter';
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return 'dead-letter';
      throw error;
    }
  }

  /**
   * Remembers the dead letters that exist before events are sent so that they are not reported as outcomes.
   *
   * @returns the earliest time that a dead letter of an event sent from now on can have, in milliseconds since 1970.
   */
  async #readOldLetters(): Promise<number> {
    let since = -Infinity;
    const ask = (cursor?: string) => this.#api.get('/dead-letters', { limit: pageLimit, cursor });
    for await (const { answer } of readAllPages(ask)) {
      const { deadLetters } = answer.read(letters);
      for (const { id } of deadLetters) this.#oldLetters.add(id);
      const times = deadLetters.map(({ at }) => Date.parse(at));
      if (since === -Infinity && times.length > 0) since = times[0]! - clockSkewMs;
      if ((times.at(-1) ?? since) < since) break;
    }
    return since;
  }
}
