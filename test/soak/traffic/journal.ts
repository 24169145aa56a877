import type { Put } from '../plan/put.ts';

/** A planned record with the result of sending it, as its producer knows it. */
export interface SentPut {
  readonly put: Put;
  /** The number of requests that contained it. */
  attempts: number;
  /** False if no request succeeded: the record may or may not have arrived. */
  isAcknowledged: boolean;
}

/** The records that were sent, in the order of each producer. */
export type Journal = readonly (readonly SentPut[])[];

/** A journal without any sent records. */
export const emptyJournal = (producers: readonly (readonly Put[])[]): SentPut[][] =>
  producers.map((puts) => puts.map((put) => ({ put, attempts: 0, isAcknowledged: false })));
