import type { Generation } from '../generations.ts';

/** A generation that a rebuild is creating, and the progress of the scan. */
export interface GenerationInProgress extends Required<Generation> {
  /** The number of completed pages. */
  readonly pages: number;
  /** The number of rows on the completed pages. */
  readonly rows: number;
  /** The position of the scan after the completed pages; undefined at the start. */
  readonly cursor?: string;
}

/** The progress of deleting earlier generations. */
export interface Deletion {
  /** The number of rows that the rebuild read. */
  readonly rows: number;
  /** The position of the deletion; undefined at the start. */
  readonly cursor?: string;
}

/** The generation that readers use, and the progress of a rebuild. */
export interface CounterState {
  readonly current: Generation;
  readonly next?: GenerationInProgress;
  /** The progress of deleting earlier generations after a rebuild; undefined if none remain. */
  readonly deleting?: Deletion;
}

export interface CounterStateStore {
  /** Reads the state with strong consistency. */
  read(): Promise<StoredCounterState>;
  /** Replaces the state, unless it has changed since it was read. */
  write(state: CounterState, before: StoredCounterState): Promise<'written' | 'conflict'>;
}

/** A state, and the number of changes that led to it. The number reveals concurrent changes. */
export interface StoredCounterState {
  readonly state: CounterState;
  readonly revision: number;
}
