import { accept, defineModel, serve } from 'milepost';
import * as v from 'valibot';

/** Counts events, and fails if an event says so. */
export const handler = serve(
  defineModel({
    id: 'fragile',
    title: 'Fails when told to',
    statuses: ['Counting'],
    events: { counted: v.unknown(), failed: v.unknown() },
    initial: () => ({ count: 0 }),
    transition(event, { count }) {
      if (event.type === 'failed') throw new RangeError('told to fail');
      return accept({ count: count + 1 });
    },
    describe: () => ({ status: 'Counting' }),
    keys: ({ count }) => ({ count: String(count) }),
  }),
);
