import type { Account } from '../../../models/activation/model.ts';
import type { WorkEvent } from '../../support/work.ts';

/** A database that is accessed through a client library, as in an application. */
export interface Store {
  /** The maximum number of events in flight. */
  readonly lanes: number;
  /** Applies an event. Resolves when the database has acknowledged the write. */
  apply(event: WorkEvent, lane: number): Promise<void>;
  read(transaction: string): Promise<Account | undefined>;
  close(): Promise<void>;
}
