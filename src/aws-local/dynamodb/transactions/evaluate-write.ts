import type { Item, Store, Table } from 'dynalite/db/index.js';
import type { operations } from '../dynalite-operations.ts';

/**
 * Returns the item that dynalite would store for a request, or null if it would delete the item. Writes nothing. Throws
 * a `ResponseError` if the request's condition fails or the item would be invalid.
 */
export function evaluateWrite(
  { run }: (typeof operations)['PutItem'],
  { options }: Store,
  table: Table,
  request: object,
  before: Item | undefined,
): Item | null {
  let after: Item | null = null;
  let failure: unknown;
  type Done = (error?: unknown, value?: unknown) => void;
  // dynalite calls these functions in the same turn of the event loop.
  const item = {
    lock: (_: string, locked: (release: (done: Done) => Done) => void) => locked((done) => done),
    get: (_: string, done: Done) => done(null, before),
    put(_: string, value: Item, done: Done) {
      after = value;
      done();
    },
    del: (_: string, done: Done) => done(),
  };
  const view = {
    options,
    getTable: (_: string, done: Done) => done(null, table),
    getItemDb: () => item,
    // The entries of indexes, which the transaction writes together with all its other changes.
    db: { batch: (_: unknown, done: Done) => done() },
  };
  run(view as unknown as Store, request, (error) => {
    failure = error;
  });
  if (failure) throw failure;
  return after;
}
