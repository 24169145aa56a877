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

/** Instances whose history is read at once. */
const concurrency = 8;

/** Dead letters are listed by when their records came, and clocks may differ by this, in milliseconds. */
const clockSkewMs = 60_000;

// As they came: they are compared, and made safe where they are printed.
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

/** How far the history of an instance has been read. */
interface HistoryPosition {
  /** The cursor of the last page, which is read again: entries may have been added to it. */
  cursor: string | undefined;
  /** The events on the pages up to there. */
  readonly seen: Set<string>;
  status: string | null;
}

/**
 * Finds out the results of events from the histories of their instances and from the dead letters.
 *
 * Call `prepare` before events are sent, `add` once they are accepted, and `look` until none is pending. Each
 * throws `ApiError`.
 */
export class EventOutcomes {
  readonly #api: ApiClient;
  readonly #histories = new Map<string, HistoryPosition>();
  /** Events that are accepted, and whose result is not known yet, by instance and name, in order. */
  readonly #pending = new Map<string, SentEvent[]>();
  readonly #oldLetters = new Set<string>();
  #lettersSince: number | undefined;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  /** How many results are not known yet. */
  get pending(): number {
    return [...this.#pending.values()].reduce((sum, events) => sum + events.length, 0);
  }

  /** Reads what there is before events are sent, so that duplicates are told from events that were applied. */
  async prepare(events: readonly SentEvent[]): Promise<void> {
    this.#lettersSince ??= await this.#readOldLetters();
    const unread = events.filter((event) => !this.#histories.has(instanceKey(event)));
    const keys = new Map(unread.map((event) => [instanceKey(event), event]));
    await pMap(keys, ([, key]) => this.#newEntries(key), { concurrency });
  }

  /** Takes events that were accepted, and returns the results that are known already. */
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

  /** Looks at what has happened since, and returns the results that are new. */
  async poll(): Promise<EventOutcome[]> {
    const events = [...this.#pending.values()].flat();
    const instances = new Map(events.map((event) => [instanceKey(event), event]));
    const found = await pMap(instances, ([, key]) => this.#applied(key), { concurrency });
    const inHistories = found.flat();
    return this.#pending.size === 0
      ? inHistories
      : [...inHistories, ...(await this.#amongLetters())];
  }

  /** Gives up: the results that are not known. */
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

  /** Takes the events of a name out of those that are pending. */
  #settle(event: SentEvent): readonly SentEvent[] {
    const name = instanceEventKey(event);
    const events = this.#pending.get(name) ?? [];
    this.#pending.delete(name);
    return events;
  }

  /** The entries that were added to a history since it was read last. */
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
      // Not there yet.
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

  /** A letter does not say which it is: the events of an instance wait with it, other letters have none. */
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
   * Remembers the letters that are there already, as far back as clocks may differ.
   *
   * @returns from when on letters may be of events that are sent now, in milliseconds since 1970.
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
