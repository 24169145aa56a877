import { accept, defineModel, emit, instanceSource, reject, transactionId } from 'milepost';
import * as v from 'valibot';
import { isHeld, mapItems, reductions } from '../map-reduce/reduction.ts';

/** The state of a chunk. */
export interface Chunk {
  /** The result for the items of the chunk; null if the chunk has no items, and omitted before the chunk is mapped. */
  readonly value?: number | null;
}

/** One chunk of a `map-reduce` job. It maps its items to one value and sends the value to the job. */
export const mapChunk = defineModel({
  id: 'map-chunk',
  title: 'A chunk of a job',
  statuses: ['New', 'Mapped'],
  events: {
    'chunk.submitted': v.object({
      // The job is part of an instance's name: `map-reduce/<job>`.
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
    if (event.source !== instanceSource({ model: 'map-reduce', transaction: job }))
      return reject(`only map-reduce/${job} can submit its chunks`);
    if (before !== undefined) return reject('the chunk has already been mapped');
    const value = mapItems(map, items);
    if (!isHeld(value)) return reject('the items are too large to add');
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
