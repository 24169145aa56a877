import * as v from 'valibot';
import {
  cancelTimer,
  type Effect,
  emit,
  notify,
  startTimer,
} from '../../src/core/effects/effect.ts';
import { timerFired } from '../../src/core/effects/timer.ts';
import type { Json, JsonObject } from '../../src/core/json/json.ts';
import { defineModel } from '../../src/core/model/define-model.ts';
import { accept, type Model, reject } from '../../src/core/model/model.ts';
import { after } from '../../src/core/time/duration.ts';
import { toIso } from '../../src/core/time/timestamp.ts';
import type { Until } from './log.ts';

interface Tally {
  readonly sum: number;
  /** A checksum of all applied events and their order. */
  readonly trail: number;
  /** The number of timers that fired. */
  readonly rings?: number;
  readonly filler?: string;
  /** Personal data: the secret of the latest event that had one. */
  readonly secret?: string | null;
  /** The number of applied events with a secret. */
  readonly secrets?: number;
}

/** An instruction in an event that makes the model fail. */
const fails = v.optional(
  v.object({
    how: v.picklist(['throws', 'kills', 'blocks', 'refused', 'starved']),
    until: v.union([v.literal('always'), v.literal('mended'), v.number()]),
  }),
);

const emission = v.object({
  emit: v.string(),
  model: v.string(),
  transaction: v.string(),
  data: v.custom<JsonObject>(() => true),
  replyTo: v.boolean(),
  /** The number of bytes of filler in the data of the event. */
  pad: v.optional(v.number()),
});
const ask = v.union([
  emission,
  v.object({ tell: v.string(), n: v.number() }),
  /** Starts a timer. `after` is its duration in seconds. */
  v.object({ start: v.string(), after: v.number() }),
  v.object({ cancel: v.string() }),
]);

/** An effect that an event requests. */
export type Ask = v.InferOutput<typeof ask>;

const amount = v.object({
  n: v.number(),
  fails,
  filler: v.optional(v.string()),
  /** Personal data, which is null after it was erased. */
  secret: v.optional(v.nullable(v.string())),
  asks: v.optional(v.array(ask), []),
});

/**
 * The kind of failure that an event causes, and its duration. With `blocks`, the code never returns. With
 * `refused`, DynamoDB permanently rejects commits with the event. With `starved`, DynamoDB rejects them with a
 * temporary error.
 */
export interface Fails {
  readonly how: 'throws' | 'kills' | 'blocks' | 'refused' | 'starved';
  readonly until: Until;
}

/**
 * Decides whether the model fails on an event in this attempt, and crashes or blocks the process if `fails` says so.
 */
export type FailsNow = (
  event: { readonly source: string; readonly id: string },
  fails: Fails,
) => boolean;

/** The versions of the model, which differ only in their number. */
export const modelVersions = [7, 8] as const;

/** Optional features of the model. */
export interface TallyFeatures {
  readonly version: (typeof modelVersions)[number];
  readonly hasKeys: boolean;
  /**
   * The time in milliseconds since 1970 from which deadlines count: an instance with the sum n becomes late 2n seconds
   * after it, unless it is done. Undefined: instances have no deadlines.
   */
  readonly deadlinesFrom: number | undefined;
  /** Whether the model marks its personal data. */
  readonly isMarked: boolean;
}

const secrets = ['secret', 'asks.*.data.secret', 'asks.*.data.asks.*.data.secret'];
const sensitive = { state: ['secret'], events: { added: secrets, taken: secrets } };

/**
 * A model that adds and subtracts, rejects negative numbers and results, returns the requested effects, and fails on
 * request.
 */
export function tally(
  id: string,
  failsNow: FailsNow,
  { version, hasKeys, deadlinesFrom, isMarked }: TallyFeatures,
): Model {
  return defineModel({
    id,
    version,
    migrate: (state) => state as Tally,
    title: 'A tally',
    statuses: ['Empty', 'Low', 'High'],
    events: {
      added: amount,
      taken: amount,
      filled: v.object({ bytes: v.number() }),
      'timer.fired': timerFired,
      'outcome.recorded': v.object({ outcome: v.picklist(['applied', 'rejected', 'duplicate']) }),
    },
    ...(isMarked && { sensitive }),
    initial: (): Tally => ({ sum: 0, trail: 0 }),
    transition(event, state) {
      const moved = (by: number) => ({ ...state, trail: (state.trail * 31 + by) % 1_000_003 });
      switch (event.type) {
        case 'filled':
          return accept({ ...state, filler: 'x'.repeat(event.data.bytes) });
        case 'outcome.recorded':
          return accept(moved(event.data.outcome.length));
        case 'timer.fired': {
          const { name } = event.data;
          if (name === 'refuse') return reject('not now');
          if (name === 'break' && failsNow(event, { how: 'throws', until: 'mended' }))
            throw new Error('the model is broken');
          const rings = (state.rings ?? 0) + 1;
          return accept({ ...moved(7), rings }, ...ringing(name, rings, event.time));
        }
        case 'added':
        case 'taken': {
          const { n, fails, asks, secret } = event.data;
          if (fails && failsNow(event, fails)) throw new Error('the model is broken');
          if (n < 0) return reject('below zero');
          if (event.type === 'taken' && n > state.sum) return reject('not enough');
          const sum = state.sum + (event.type === 'taken' ? -n : n);
          const effects = asks.map((each) => effectOf(each, event.time));
          const personal = secret ? { secret, secrets: (state.secrets ?? 0) + 1 } : {};
          return accept({ ...moved(n + 1), sum, ...personal }, ...effects);
        }
      }
    },
    milestones: [{ id: 'goal', label: 'Goal' }],
    describe({ sum }) {
      const status = sum < 50 ? 'Low' : 'High';
      const described = { done: sum > 90, progress: sum % 2 ? 0.5 : 0 };
      return {
        ...described,
        status: sum === 0 ? 'Empty' : status,
        ...(deadlinesFrom !== undefined && {
          milestones: [{ id: 'goal', expectedBy: toIso(deadlinesFrom + 2_000 * sum) }],
        }),
      };
    },
    ...(hasKeys ? { keys: ({ sum }: Tally) => ({ parity: sum % 2 ? 'odd' : 'even' }) } : {}),
  }) as unknown as Model;
}

/** Returns the effects of a fired timer. @param rings the number of timers of the instance that have fired so far */
function ringing(name: string, rings: number, time: string): Effect[] {
  if (name === 'again' && rings < 4) return [startTimer('again', after(time, 'PT5S'))];
  const told = { model: 'tally', transaction: 'T1', type: 'added', data: { n: 1 }, replyTo: true };
  return name === 'tell' ? [emit(told)] : [];
}

function effectOf(asked: Ask, time: string): Effect {
  if ('tell' in asked) return notify(asked.tell, { n: asked.n });
  if ('start' in asked) return startTimer(asked.start, after(time, `PT${asked.after}S`));
  if ('cancel' in asked) return cancelTimer(asked.cancel);
  const { emit: type, model, transaction, replyTo, pad } = asked;
  const data: Json = { ...asked.data, ...(pad ? { filler: 'y'.repeat(pad) } : {}) };
  return emit({ model, transaction, type, data, replyTo });
}
