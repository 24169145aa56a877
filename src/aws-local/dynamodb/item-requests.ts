import type { Store } from 'dynalite/db/index.js';
import { type Clock, systemClock } from '../../common/clock.ts';
import { batchGetItem } from './batch-get-item.ts';
import { executeBatch } from './batch-tables.ts';
import { batchWriteItem } from './batch-write-item.ts';
import { itemOperations } from './dynalite-operations.ts';
import { executeWithMetrics } from './item-collection-metrics.ts';
import type { JsonOperation } from './json-operations.ts';
import type { StatementRequest } from './partiql/prepare-statement.ts';
import { batchExecuteStatement, executeStatement } from './partiql/statement-operations.ts';
import { executeTransaction } from './transactions/execute-transaction.ts';
import { transactGetItems } from './transactions/transact-get-items.ts';
import { transactWriteItems } from './transactions/transact-write-items.ts';

/** Returns the operations on items, by `X-Amz-Target`. These operations bypass dynalite's HTTP server. */
export function itemRequests(
  store: Store,
  clock: Pick<Clock, 'now'> = systemClock,
): Record<string, JsonOperation> {
  const operations: Record<string, JsonOperation> = {
    ...Object.fromEntries(
      itemOperations.map((name) => [
        name,
        (request) => executeWithMetrics(store, name, request as object),
      ]),
    ),
    BatchGetItem: (request) =>
      executeBatch(request as object, (named) => batchGetItem(store, named)),
    BatchWriteItem: (request) =>
      executeBatch(request as object, (named) => batchWriteItem(store, named)),
    BatchExecuteStatement: (request) => batchExecuteStatement(store, request as object),
    ExecuteStatement: (request) => executeStatement(store, request as StatementRequest),
    ExecuteTransaction: executeTransaction(store, clock),
    TransactGetItems: transactGetItems(store),
    TransactWriteItems: transactWriteItems(store, clock),
  };
  return Object.fromEntries(
    Object.entries(operations).map(([name, run]) => [`DynamoDB_20120810.${name}`, run]),
  );
}
