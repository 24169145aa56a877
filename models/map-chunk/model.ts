import { accept, defineModel, emit, reject, transactionId } from 'milepost';
import * as v from 'valibot';
import { isHeld, mapItems, reductions } from '../map-reduce/reduction.ts';

/** One chunk of a job. */
export interface Chunk {
  /** What its items came to; null where it has none. */
  readonly value?: number | null;
}

/** A worker's part of a job: it maps its items to one value, and sends it back. */
export const mapChunk = defineModel({
  id: 'map-chunk',
  title: 'A chunk of a job',
  statuses: ['New', 'Mapped'],
  events: {
    'chunk.submitted': v.object({
      // It names an instance: `map-reduce/<job>`.
      job: transactionId,
      chunk: v.pipe(v.number(), v.integer(), v.minValue(0)),
      items: v.array(v.number()),
      map: v.picklist(reductions),
    }),
  },
  diagram: {
    nodes: [
      { id: 'New', label: 'New' },
      { id: 'Mapped', label: 'Mapped' },
    ],
    edges: [{ from: 'New', to: 'Mapped', label: 'chunk submitted' }],
  },

  initial: (): Chunk => ({}),

  transition(event, { value: before }) {
    const { job, chunk, items, map } = event.data;
    if (before !== undefined) return reject('the chunk is mapped already');
    const value = mapItems(map, items);
    if (!isHeld(value)) return reject('the items are too large to be added');
    return accept(
      { value },
      emit({
        model: 'map-reduce',
        transaction: job,
        type: 'chunk.mapped',
        data: { chunk, value },
      }),
    );
  },

  describe({ value }) {
    const done = value !== undefined;
    return { status: done ? 'Mapped' : 'New', done };
  },
});
