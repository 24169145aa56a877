import { accept, defineModel, serve } from 'milepost';
import * as v from 'valibot';

/* A counter model. For a rollback, `migrate` accepts states of the second version. */

export const handler = serve(
  defineModel({
    id: 'session',
    title: 'Counts',
    statuses: ['Counting'],
    events: { counted: v.unknown() },
    initial: () => ({ count: 0 }),
    transition: (_, { count }) => accept({ count: count + 1 }),
    describe: () => ({ status: 'Counting' }),
    migrate: (state) => ({ count: (state as { total: number }).total / 10 }),
  }),
);
