import { readFileSync } from 'node:fs';
import { accept, defineModel } from 'milepost';
import * as v from 'valibot';
import { soakWorld } from '../../service/soak-world.ts';

/** Reads the latest wave of repairs from the file that the soak writes. Outside of a soak, everything is repaired. */
function repairedWave(): number {
  const path = soakWorld()?.repairedFile;
  return path === undefined ? Infinity : Number(readFileSync(path, 'utf8'));
}

const n = v.number();

/** Counts events in order and fails on `failed` until it is repaired. */
export const fragile = defineModel({
  id: 'fragile',
  title: 'Fails until it is repaired',
  statuses: ['Counting'],
  events: {
    counted: v.object({ n }),
    failed: v.object({ n, until: v.number(), how: v.picklist(['throws', 'exits']) }),
  },
  initial: () => ({ count: 0, trail: 0 }),
  transition({ type, data }, { count, trail }) {
    if (type === 'failed' && repairedWave() < data.until) {
      if (data.how === 'exits') process.exit(3);
      throw new RangeError(`fails until wave ${data.until}`);
    }
    return accept({ count: count + 1, trail: (trail * 31 + data.n) % 1_000_003 });
  },
  describe: () => ({ status: 'Counting' }),
});
