import * as v from 'valibot';
import { accept, defineModel, type Model, reject } from '../../src/core/model.ts';
import type { Until } from './log.ts';

interface Tally {
  readonly sum: number;
  /** Follows from all that was applied, and from its order. */
  readonly trail: number;
  readonly filler?: string;
}

/** What an event may ask of the model beside its own business: to fail. */
const fails = v.optional(
  v.object({
    how: v.picklist(['throws', 'kills']),
    until: v.union([v.literal('always'), v.literal('mended'), v.number()]),
  }),
);
const amount = v.object({ n: v.number(), fails, filler: v.optional(v.string()) });

/** Tells the model whether it fails on an event now; it does not return where the process dies. */
export type FailsNow = (
  event: { readonly source: string; readonly id: string },
  fails: { readonly how: 'throws' | 'kills'; readonly until: Until },
) => boolean;

/** A model that adds and takes, refuses what is not there, and fails when it is asked to. */
export function tally(id: string, failsNow: FailsNow): Model {
  return defineModel({
    id,
    version: 7,
    title: 'A tally',
    statuses: ['Empty', 'Low', 'High'],
    events: { added: amount, taken: amount, filled: v.object({ bytes: v.number() }) },
    initial: (): Tally => ({ sum: 0, trail: 0 }),
    transition(event, state) {
      if (event.type === 'filled')
        return accept({ ...state, filler: 'x'.repeat(event.data.bytes) });
      const { n, fails } = event.data;
      if (fails && failsNow(event, fails)) throw new Error('the model is broken');
      if (n < 0) return reject('below zero');
      if (event.type === 'taken' && n > state.sum) return reject('not enough');
      const sum = state.sum + (event.type === 'taken' ? -n : n);
      return accept({ ...state, sum, trail: (state.trail * 31 + n + 1) % 1_000_003 });
    },
    describe({ sum }) {
      const status = sum < 50 ? 'Low' : 'High';
      return { status: sum === 0 ? 'Empty' : status, done: sum > 90, progress: sum % 2 ? 0.5 : 0 };
    },
  }) as unknown as Model;
}
