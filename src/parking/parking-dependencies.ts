import type { DeadLetterStore } from '../stores/dead-letter-store.ts';
import type { ParkingStore } from './parking-store.ts';

/** Where parked events are kept: with their instance, in order, and among the dead letters. */
export interface ParkingDependencies {
  readonly parking: ParkingStore;
  readonly deadLetters: DeadLetterStore;
}
