import pMap from 'p-map';
import * as v from 'valibot';
import type { InstanceKey } from '../../core/event/event.ts';
import { refusalOfPath } from '../../routes/request-path.ts';
import { type ApiClient, ApiError } from '../client/api-client.ts';
import { instancePath } from '../client/api-paths.ts';
import { readAllPages } from '../client/read-all-pages.ts';
import {
  type EventOutcome,
  eventKey,
  instanceEventKey,
  instanceKey,
  outcome,
} from './event-outcome.ts';
import { parseSentEvent, type SentEvent } from './sent-event.ts';

const maximumPageSize = '100';

/** The maximum number of histories to read in parallel. */
const concurrency = 8;

/**
 * The tolerated difference between the clocks that set the times of dead letters, in milliseconds. Because of this
 * difference, a new dead letter can be listed below an earlier one.
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
 * The outcomes of sent events, from the histories of their instances and from the dead letters.
 *
 * Call `prepare` before events are sent, `add` after they are accepted, and `poll` until no event is pending. `prepare`
 * and `poll` throw `ApiError`.
 */
export class EventOutcomes {
  readonly #api: ApiClient;
  readonly #histories = new Map<string, HistoryPosition>();
  /** The accepted events without a known outcome, by instance and event key, in the order in which they were sent. */
  readonly #pending = new Map<string, SentEvent[]>();
  readonly #oldLetters = new Set<string>();
  #lettersSince: number | undefined;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  /** The number of events without a known outcome. */
  get pending(): number {
    return [...this.#pending.values()].reduce((sum, events) => sum + events.length, 0);
  }

  /** Reads the existing histories before events are sent, to distinguish duplicates from applied events. */
  async prepare(events: readonly SentEvent[]): Promise<void> {
    this.#lettersSince ??= await this.#readOldLetters();
    const unread = events.filter((event) => !this.#histories.has(instanceKey(event)));
    const keys = new Map(unread.map((event) => [instanceKey(event), event]));
    await pMap(keys, ([, key]) => this.#newEntries(key), { concurrency });
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
      this.#pending.set(name, [...(this.#pending.get(name) ?? []), event]);
      return [];
    });
  }

  /** Reads new history entries and dead letters, and returns the outcomes that became known. */
  async poll(): Promise<EventOutcome[]> {
    const events = [...this.#pending.values()].flat();
    const instances = new Map(events.map((event) => [instanceKey(event), event]));
    const found = await pMap(instances, ([, key]) => this.#applied(key), { concurrency });
    const inHistories = found.flat();
    return this.#pending.size === 0
      ? inHistories
      : [...inHistories, ...(await this.#amongLetters())];
  }

  /** Stops waiting for the pending events, and returns the outcome `unknown` for each. */
  giveUp(): EventOutcome[] {
    const rest = [...this.#pending.values()].flat();
    this.#pending.clear();
    return rest.map((event) => outcome(event, 'unknown'));
  }

  async #applied(key: InstanceKey): Promise<EventOutcome[]> {
    const { model, transaction } = key;
    const found = await this.#newEntries(key);
    return found.flatMap(({ event: { id, source }, outcome: kind, reason, status }) => {
      const [first, ...again] = this.#settle({ model, transaction, id, source });
      if (!first) return [];
      const repeated = again.map((event) => outcome(event, 'duplicate', { status }));
      return [outcome(first, kind, { reason, status }), ...repeated];
    });
  }

  /** Removes and returns the pending events with the same key as an event. */
  #settle(event: SentEvent): readonly SentEvent[] {
    const name = instanceEventKey(event);
    const events = this.#pending.get(name) ?? [];
    this.#pending.delete(name);
    return events;
  }

  /** Reads the entries that were added to a history since the last read. */
  async #newEntries(key: InstanceKey): Promise<Entry[]> {
    if (refusalOfPath(key.transaction) !== undefined) return [];
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
      return this.#api.get(path, { limit: maximumPageSize, cursor });
    };
    const added: Entry[] = [];
    try {
      for await (const { answer } of readAllPages(ask))
        for (const entry of answer.read(entries).entries) {
          if (history.seen.has(eventKey(entry.event))) continue;
          history.seen.add(eventKey(entry.event));
          history.status = entry.status;
          added.push(entry);
        }
    } catch (error) {
      // A 404 means that the instance does not exist yet.
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
    return added;
  }

  async #amongLetters(): Promise<EventOutcome[]> {
    const found: EventOutcome[] = [];
    const since = this.#lettersSince ?? -Infinity;
    const ask = (cursor?: string) =>
      this.#api.get('/dead-letters', { limit: maximumPageSize, cursor });
    for await (const { answer } of readAllPages(ask)) {
      const { deadLetters } = answer.read(letters);
      for (const { id, at, reason, raw } of deadLetters) {
        if (Date.parse(at) < since || this.#oldLetters.has(id)) continue;
        this.#oldLetters.add(id);
        const event = parseSentEvent(Buffer.from(raw, 'base64').toString());
        for (const each of event ? this.#settle(event) : [])
          found.push(outcome(each, await this.#whereParked(each), { reason, deadLetter: id }));
      }
      const last = deadLetters.at(-1);
      if (last && Date.parse(last.at) < since) break;
    }
    return found;
  }

  /** Returns `parked` for an event with a dead letter if its instance has parked events, otherwise `dead-letter`. */
  async #whereParked({ model, transaction }: SentEvent): Promise<'parked' | 'dead-letter'> {
    try {
      const answer = await this.#api.get(instancePath(model, transaction));
      return answer.read(v.object({ parked: v.number() })).parked > 0 ? 'parked' : 'dead-letter';
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return 'dead-letter';
      throw error;
    }
  }

  /**
   * Remembers the dead letters that exist before events are sent, so that they are not reported as outcomes.
   *
   * @returns the earliest time that the dead letter of an event sent from now on can have, in milliseconds since 1970.
   */
  async #readOldLetters(): Promise<number> {
    let since = -Infinity;
    const ask = (cursor?: string) =>
      this.#api.get('/dead-letters', { limit: maximumPageSize, cursor });
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
