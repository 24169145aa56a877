import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { accept, defineModel } from '../../../../index.ts';

/** Counts events. Throws an error on an event that contains a file name until that file exists. */
export const fragile = defineModel({
  id: 'fragile',
  title: 'Fails until it is repaired',
  statuses: ['Counting'],
  events: { counted: v.object({ repairedBy: v.optional(v.string()) }) },
  initial: () => ({ count: 0 }),
  transition({ data: { repairedBy } }, { count }) {
    if (repairedBy !== undefined && !existsSync(repairedBy)) throw new Error('not repaired yet');
    return accept({ count: count + 1 });
  },
  describe: () => ({ status: 'Counting' }),
});
