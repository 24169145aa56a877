import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { accept, defineModel, serve } from 'milepost';
import * as v from 'valibot';

/* A counter model. An event of the type `failed` makes the model fail in the way that the event's data specifies. */

/** True if the model is repaired: a file next to its code exists. */
const isRepaired = (how: string) => existsSync(join(import.meta.dirname, `repaired-${how}`));

const faults: Readonly<Record<string, () => void>> = {
  throws() {
    throw new RangeError('thrown on request');
  },
  // Blocks the process forever without using the CPU.
  hangs() {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
  grows() {
    for (let held: object[] = [{}]; ; ) held = held.concat(held);
  },
  exits() {
    process.exit(3);
  },
};

const counting = serve(
  defineModel({
    id: 'failing',
    title: 'Fails on request',
    statuses: ['Counting'],
    events: { counted: v.unknown(), failed: v.object({ how: v.string() }) },
    initial: () => ({ count: 0 }),
    transition(event, { count }) {
      if (event.type === 'failed' && !isRepaired(event.data.how)) faults[event.data.how]?.();
      return accept({ count: count + 1 });
    },
    describe: () => ({ status: 'Counting' }),
  }),
);

export const handler: typeof counting = (request, context) => {
  const isNonsense =
    JSON.stringify(request).includes('"how":"nonsense"') && !isRepaired('nonsense');
  return isNonsense ? Promise.resolve({ answer: 42 } as never) : counting(request, context);
};
