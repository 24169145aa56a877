import { randomUUID } from 'node:crypto';

/** A source of random values. A simulation replaces the source to repeat a run from a seed. */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number;
  uuid(): string;
}

export const systemRandom: Random = {
  fraction: () => Math.random(),
  uuid: () => randomUUID(),
};
