import type { Rules } from './rules.ts';

interface Count {
  readonly count: number;
  /** A checksum that depends on the order of all events. */
  readonly trail: number;
}

/** The rules of the soak's own model after its repair. */
export const fragileRules: Rules<Count> = {
  initial: () => ({ count: 0, trail: 0 }),
  apply({ count, trail }, { type, data }) {
    const { n, until } = data as { n?: unknown; until?: unknown };
    if (typeof n !== 'number' || (type === 'failed' && typeof until !== 'number')) return undefined;
    return { state: { count: count + 1, trail: (trail * 31 + n) % 1_000_003 } };
  },
  statusOf: () => 'Counting',
  isDone: () => false,
};
