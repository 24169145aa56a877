import { accept, defineModel, emit, instanceSource, reject } from 'milepost';
import * as v from 'valibot';
import { canAdd, isHeld, type Reduction, reduceValues, reductions } from './reduction.ts';

/** The state of a job. */
export interface Job {
  /** The number of chunks; 0 before the job is submitted. */
  readonly chunks: number;
  /** The reduction of the values; removed when the job is done. */
  readonly map?: Reduction;
  /** The result of each chunk, by its number; null for a chunk without items. */
  readonly results: { readonly [chunk: string]: number | null };
  /** The result of the job; null for the minimum or maximum of no items. */
  readonly result?: number | null;
}

/** Splits a job into chunks, which are processed in parallel, and combines their results. */
export const mapReduce = defineModel({
  id: 'map-reduce',
  title: 'Map and reduce',
  statuses: ['Mapping', 'Reduced'],
  events: {
    'job.submitted': v.object({
      items: v.array(v.number()),
      chunks: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 10),
      map: v.optional(v.picklist(reductions), 'sum'),
    }),
    'chunk.mapped': v.object({
      chunk: v.pipe(v.number(), v.integer(), v.minValue(0)),
      value: v.nullable(v.number()),
    }),
  },
  diagram: {
    nodes: [
      { id: 'Mapping', label: 'Mapping' },
      { id: 'Reduced', label: 'Reduced' },
    ],
    edges: [
      { from: 'Mapping', to: 'Mapping', label: 'chunk mapped' },
      { from: 'Mapping', to: 'Reduced', label: 'last chunk mapped' },
    ],
  },

  initial: (): Job => ({ chunks: 0, results: {} }),

  transition(event, job) {
    if (event.type === 'job.submitted') {
      const { items, chunks, map } = event.data;
      const name = event.transaction;
      if (job.chunks > 0) return reject('the job has already been submitted');
      if (Array.from(chunkName(name, chunks - 1)).length > 256)
        return reject(
          `the name of the job is too long: ${name}:<chunk> must have at most 256 characters`,
        );
      if (map === 'sum' && !canAdd(items)) return reject('the items are too large to add');
      return accept(
        { chunks, map, results: {} },
        ...cut(items, chunks).map((run, chunk) =>
          emit({
            model: 'map-chunk',
            transaction: chunkName(name, chunk),
            type: 'chunk.submitted',
            data: { job: name, chunk, items: run, map },
          }),
        ),
      );
    }

    const { chunk, value } = event.data;
    if (chunk >= job.chunks) return reject(`there is no chunk ${chunk}`);
    const transaction = chunkName(event.transaction, chunk);
    if (event.source !== instanceSource({ model: 'map-chunk', transaction }))
      return reject(`only map-chunk/${transaction} can send the result of chunk ${chunk}`);
    if (Object.hasOwn(job.results, chunk)) return reject(`chunk ${chunk} has already been mapped`);
    const { chunks, map = 'sum' } = job;
    // JavaScript sorts integer keys, so the values are reduced in chunk order, not in the order of arrival.
    const results: Job['results'] = { ...job.results, [chunk]: value };
    const values = Object.values(results);
    if (values.length < chunks) return accept({ chunks, map, results });
    const result = reduceValues(map, values);
    return isHeld(result)
      ? accept({ chunks, results, result })
      : reject('the values are too large to add');
  },

  describe({ chunks, results, result }) {
    const done = result !== undefined;
    return {
      status: done ? 'Reduced' : 'Mapping',
      done,
      progress: chunks === 0 ? 0 : Object.keys(results).length / chunks,
    };
  },
});

const chunkName = (job: string, chunk: number) => `${job}:${chunk}`;

/** Splits items into chunks of equal length. The last chunk also contains the remainder. */
function cut(items: readonly number[], chunks: number): number[][] {
  const length = Math.floor(items.length / chunks);
  return Array.from({ length: chunks }, (_, chunk) =>
    items.slice(chunk * length, chunk === chunks - 1 ? undefined : (chunk + 1) * length),
  );
}
