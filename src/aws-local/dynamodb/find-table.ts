import type { Store, Table } from 'dynalite/db/index.js';
import { DynamoDbError } from './dynamodb-error.ts';

/** Returns the description of a table. @throws DynamoDbError `ResourceNotFoundException`. */
export function findTable(store: Store, name: string): Promise<Table> {
  return new Promise((resolve, reject) => {
    store.getTable(name, false, (error, table) => {
      if (!error) return resolve(table);
      const { body } = error as { body?: { message?: string } };
      if (body === undefined) return reject(error);
      const message = body.message ?? `Requested resource not found: Table: ${name} not found`;
      reject(new DynamoDbError('ResourceNotFoundException', message));
    });
  });
}

/** Calls a function while the table's description is locked against other requests. */
export function withTableLock<Result>(
  { tableDb }: Store,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    tableDb.lock(name, (release) => {
      work().then(
        (result) => release(() => resolve(result))(),
        (error: unknown) => release(() => reject(error))(),
      );
    });
  });
}
