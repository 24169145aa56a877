import type { Put } from '../plan/put.ts';

/** A planned record with the result of sending it, from the producer's point of view. */
export interface SentPut {
  readonly put: Put;
  /** The number of requests that contained the record. */
  attempts: number;
  /** True if a request with the record succeeded. Otherwise, the record may or may not have arrived. */
  isAcknowledged: boolean;
}

/** The planned records of each producer, in the order in which the producer sends them. */
export type Journal = readonly (readonly SentPut[])[];

/** Creates a journal in which no record has been sent. */
export const emptyJournal = (producers: readonly (readonly Put[])[]): SentPut[][] =>
  producers.map((puts) => puts.map((put) => ({ put, attempts: 0, isAcknowledged: false })));
