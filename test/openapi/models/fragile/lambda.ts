import { accept, defineModel, serve } from 'milepost';
import * as v from 'valibot';

/** A model that counts events and fails on the event type `failed`. */
export const handler = serve(
  defineModel({
    id: 'fragile',
    title: 'Fails on request',
    statuses: ['Counting'],
    events: { counted: v.unknown(), failed: v.unknown() },
    initial: () => ({ count: 0 }),
    transition(event, { count }) {
      if (event.type === 'failed') throw new RangeError('failed on request');
      return accept({ count: count + 1 });
    },
    describe: () => ({ status: 'Counting' }),
    keys: ({ count }) => ({ count: String(count) }),
  }),
);
