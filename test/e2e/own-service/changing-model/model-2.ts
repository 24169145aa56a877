import { accept, defineModel, serve } from 'milepost';
import * as v from 'valibot';

/* The second version of the counter model, which counts in tenths, renames a field, and seals it. */

export const handler = serve(
  defineModel({
    id: 'session',
    version: 2,
    title: 'Counts in tenths',
    statuses: ['Totalling'],
    events: { counted: v.unknown() },
    sensitive: { state: ['total'] },
    initial: () => ({ total: 0 as number | null }),
    transition: (_, { total }) => accept({ total: (total ?? 0) + 10 }),
    describe: () => ({ status: 'Totalling' }),
    migrate: (state) => ({ total: 10 * (state as { count: number }).count }),
  }),
);
