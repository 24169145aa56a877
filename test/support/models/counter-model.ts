import * as v from 'valibot';
import { defineModel } from '../../../src/core/model/define-model.ts';
import { accept, type Model, reject } from '../../../src/core/model/model.ts';

/** A model for tests that adds numbers, rejects negative numbers, and fails on request. */
export const counter = defineModel({
  id: 'counter',
  title: 'A counter',
  statuses: ['Low', 'High'],
  events: {
    added: v.object({ n: v.number() }),
    /** Makes the model fail while the sum is below `below`. By default, the model always fails. */
    failed: v.object({ below: v.optional(v.number(), Number.POSITIVE_INFINITY) }),
    filled: v.object({ bytes: v.number() }),
  },
  initial: (): { sum: number; log: string[]; filler?: string } => ({ sum: 0, log: [] }),
  transition(event, state) {
    if (event.type === 'failed') {
      if (state.sum < event.data.below) throw new Error('told to fail');
      return accept(state);
    }
    if (event.type === 'filled') return accept({ ...state, filler: 'x'.repeat(event.data.bytes) });
    if (event.data.n < 0) return reject('below zero');
    return accept({
      ...state,
      sum: state.sum + event.data.n,
      log: [...state.log, event.id].slice(-5),
    });
  },
  describe: ({ sum }) => ({ status: sum < 10 ? 'Low' : 'High' }),
}) as unknown as Model;
