import { activation } from '../../models/activation/model.ts';
import { customer } from '../../models/customer/model.ts';
import { mapChunk } from '../../models/map-chunk/model.ts';
import { mapReduce } from '../../models/map-reduce/model.ts';
import { session } from '../../models/session/model.ts';
import { tickets } from '../../models/tickets/model.ts';
import { emittedEvent } from '../../src/core/effects/outgoing-event.ts';
import { timerEvent } from '../../src/core/effects/timer.ts';
import { checkEvent, type TrackedEvent } from '../../src/core/event/event.ts';
import { type FoldStep, foldEvent } from '../../src/core/history/fold.ts';
import type { JsonObject } from '../../src/core/json/json.ts';
import type { Model } from '../../src/core/model/model.ts';
import { fragile } from './models/fragile/model.ts';
import type { Observed, ObservedHistory } from './observe/observed.ts';
import { eventKey, instanceKey } from './oracle/expected-events.ts';
import type { Put } from './plan/put.ts';

const models = Object.fromEntries(
  [activation, customer, fragile, mapChunk, mapReduce, session, tickets].map((each) => [
    each.id,
    each as unknown as Model,
  ]),
);

/**
 * The real models on an in-memory queue that never fails. The model `fragile` is repaired, and timers fire after all
 * events.
 */
export class FlawlessService {
  readonly #instances = new Map<string, FoldStep[]>();
  readonly #seen = new Set<string>();
  readonly #letters: Observed['deadLetters'][number][] = [];
  #now = Date.parse('2026-06-01T00:00:00Z');

  /** Processes records, the events that instances send in response, and all timers. */
  take(puts: readonly Put[]): void {
    for (const { event, bytes } of puts)
      if (event) this.apply(JSON.parse(bytes.toString()) as JsonObject);
      else this.#bury(bytes);
    for (let due = this.#timers(); due.length > 0; due = this.#timers())
      for (const each of due) this.apply(each);
  }

  /** Applies one event and then the events that its instance sends. */
  apply(sent: JsonObject): void {
    const checked = checkEvent(sent, (this.#now += 100));
    if (!checked.ok) throw new Error(checked.reason);
    const { event } = checked;
    const key = instanceKey(event.model, event.transaction);
    const once = JSON.stringify([key, eventKey(event)]);
    if (this.#seen.has(once)) return;
    this.#seen.add(once);
    const steps = this.#instances.get(key) ?? [];
    const step = foldEvent(models[event.model]!, steps.at(-1)?.after, event);
    this.#instances.set(key, [...steps, step]);
    for (const each of emitted(step, steps.length + 1)) this.apply(each);
  }

  /** Returns the content that the API would show. */
  observed(): Observed {
    const histories = [...this.#instances.values()].map(historyOf);
    const listed = histories.flatMap(({ instance }) =>
      instance.startedAt === null ? [] : instance,
    );
    return { histories, listed, deadLetters: [...this.#letters], isHealthy: true };
  }

  #timers(): JsonObject[] {
    return [...this.#instances.values()].flatMap((steps) => {
      const { event, after } = steps.at(-1)!;
      return after.timers.map((timer) => timerEvent(event, timer));
    });
  }

  #bury(bytes: Buffer): void {
    const nobody = { modelId: null, transactionId: null, eventId: null };
    this.#letters.push({ ...nobody, reason: 'invalid', raw: bytes.toString('base64') });
  }
}

function emitted({ event, effects }: FoldStep, version: number): JsonObject[] {
  return effects.flatMap((effect, index) =>
    effect.kind === 'emit' ? [emittedEvent(event, effect, version, `0.${index}`).event] : [],
  );
}

function historyOf(steps: readonly FoldStep[]): ObservedHistory {
  const { event, after } = steps.at(-1)!;
  const { model, transaction } = event;
  const applied = steps.filter(({ outcome }) => outcome === 'applied');
  const times = applied.map((step) => Date.parse(step.event.time));
  const startedAt = after.isStarted ? new Date(Math.min(...times)).toISOString() : null;
  const { status, done = false } = after.description;
  const { state, timers } = after;
  const version = steps.length;
  return {
    instance: { model, transaction, version, status, done, startedAt, timers, parked: 0, state },
    entries: steps.map((step, n) => ({ version: n + 1, at: step.event.time, ...entryOf(step) })),
  };
}

function entryOf({ event, outcome, reason, after }: FoldStep) {
  const { id, source, type, time, data }: TrackedEvent = event;
  const { status } = after.description;
  return { event: { id, source, type, time, data }, outcome, reason, status, state: after.state };
}
