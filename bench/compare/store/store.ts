import type { Account } from '../../../models/activation/model.ts';
import type { WorkEvent } from '../../support/work.ts';

/** A database with a client library, as an application uses them. */
export interface Store {
  /** How many events may be under way at once. */
  readonly lanes: number;
  /** Applies an event; resolves once the database has acknowledged it. */
  apply(event: WorkEvent, lane: number): Promise<void>;
  read(transaction: string): Promise<Account | undefined>;
  close(): Promise<void>;
}
