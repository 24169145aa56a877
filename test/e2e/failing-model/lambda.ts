import { accept, defineModel, serve } from 'milepost';
import * as v from 'valibot';

/* A model that counts events, and does what an event tells it that a model should not do. */

const mended = process.env.MENDED !== undefined;

const wrongs: Readonly<Record<string, () => void>> = {
  throws() {
    throw new RangeError('told to throw');
  },
  // A built-in that nothing interrupts: its time doubles with each letter.
  loops() {
    /^(a+)+$/.test(`${'a'.repeat(64)}b`);
  },
  grows() {
    const held: object[] = [];
    for (;;) held.push(Array.from({ length: 10_000 }, () => ({})));
  },
  exits() {
    process.exit(3);
  },
};

const counting = serve(
  defineModel({
    id: 'failing',
    title: 'Fails when told to',
    statuses: ['Counting'],
    events: { counted: v.unknown(), failed: v.object({ how: v.string() }) },
    initial: () => ({ count: 0 }),
    transition(event, { count }) {
      if (event.type === 'failed' && !mended) wrongs[event.data.how]?.();
      return accept({ count: count + 1 });
    },
    describe: () => ({ status: 'Counting' }),
  }),
);

export const handler: typeof counting = (request, context) => {
  const isNonsense = !mended && JSON.stringify(request).includes('"how":"nonsense"');
  return isNonsense ? Promise.resolve({ answer: 42 } as never) : counting(request, context);
};
