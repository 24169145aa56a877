import type { DeadLetterStore } from '../stores/dead-letter-store.ts';
import type { ParkingStore } from './parking-store.ts';

/** The stores of parked events: the instances' queues and the dead letters. */
export interface ParkingDependencies {
  readonly parking: ParkingStore;
  readonly deadLetters: DeadLetterStore;
}
