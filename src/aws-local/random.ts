import { randomUUID } from 'node:crypto';

/** A source of random values. Simulations replace it so that a run can be repeated from its seed. */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number;
  uuid(): string;
}

export const systemRandom: Random = {
  fraction: () => Math.random(),
  uuid: () => randomUUID(),
};
