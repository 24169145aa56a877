import { randomUUID } from 'node:crypto';

/** Randomness as a port, so that a simulation can replay a run from its seed. */
export interface Random {
  /** At least 0, less than 1. */
  fraction(): number;
  uuid(): string;
}

export const systemRandom: Random = {
  fraction: () => Math.random(),
  uuid: () => randomUUID(),
};
