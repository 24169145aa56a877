import type { Rules, Step } from './rules.ts';

interface Job {
  readonly chunks: number;
  readonly map?: string;
  readonly results: Readonly<Record<string, number | null>>;
  readonly result?: number | null;
}
interface Chunk {
  readonly value?: number | null;
}

const maximumNameLength = 256;

export const mapReduceRules: Rules<Job> = {
  initial: () => ({ chunks: 0, results: {} }),
  apply(job, { type, data, transaction }): Step<Job> | undefined {
    if (type === 'job.submitted') {
      const { items, chunks, map } = data as { items?: number[]; chunks: number; map: string };
      const isTooLong = Array.from(`${transaction}:${chunks - 1}`).length > maximumNameLength;
      if (!items || job.chunks > 0 || isTooLong) return undefined;
      const length = Math.floor(items.length / chunks);
      const sends = Array.from({ length: chunks }, (_, chunk) => ({
        model: 'map-chunk',
        transaction: `${transaction}:${chunk}`,
        type: 'chunk.submitted',
        data: {
          job: transaction,
          chunk,
          items:
            chunk < chunks - 1
              ? items.slice(chunk * length, (chunk + 1) * length)
              : items.slice(chunk * length),
          map,
        },
      }));
      return { state: { chunks, map, results: {} }, sends };
    }
    const { chunk, value } = data as { chunk: number; value: number | null };
    const { map = '', ...rest } = job;
    const results: Job['results'] = { ...job.results, [chunk]: value };
    if (Object.keys(results).length < job.chunks) return { state: { ...job, results } };
    const values = Object.values(results).filter((each) => each !== null);
    const isAdded = map === 'sum' || map === 'count';
    const none = isAdded ? 0 : null;
    const result = values.length > 0 ? combined(isAdded ? 'sum' : map, values) : none;
    return { state: { ...rest, results, result } };
  },
  statusOf: ({ result }) => (result === undefined ? 'Mapping' : 'Reduced'),
  isDone: ({ result }) => result !== undefined,
};

export const mapChunkRules: Rules<Chunk> = {
  initial: () => ({}),
  apply(before, { data }) {
    if (before.value !== undefined) return undefined;
    const { job, chunk, items, map } = data as {
      job: string;
      chunk: number;
      items: number[];
      map: string;
    };
    const value = items.length > 0 ? combined(map, items) : null;
    const sent = {
      model: 'map-reduce',
      transaction: job,
      type: 'chunk.mapped',
      data: { chunk, value },
    };
    return { state: { value }, sends: [sent] };
  },
  statusOf: ({ value }) => (value === undefined ? 'New' : 'Mapped'),
  isDone: ({ value }) => value !== undefined,
};

function combined(map: string, values: readonly number[]): number {
  if (map === 'count') return values.length;
  if (map === 'min') return Math.min(...values);
  if (map === 'max') return Math.max(...values);
  return values.reduce((sum, each) => sum + each, 0);
}
