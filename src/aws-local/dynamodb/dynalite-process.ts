import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import db, { type Table } from 'dynalite/db/index.js';
import {
  dynamoDbOperations,
  dynamoDbStreamsOperations,
  explainUnknown,
} from '../endpoints/operations.ts';
import { serve } from '../endpoints/serve.ts';
import { detachListeners } from '../server/detach-listeners.ts';
import type { StreamTimes } from './change-streams/change-streams.ts';
import { createDynalite } from './dynalite-store.ts';
import { followChanges } from './follow-changes.ts';
import { itemRequests } from './item-requests.ts';
import { addOperations } from './json-operations.ts';
import { withoutIncompleteIndexes } from './update-indexes.ts';

/**
 * The default interval between maintenance runs, in milliseconds. Maintenance also deletes expired items, which in AWS
 * can take days.
 */
const maintenanceIntervalMs = 30_000;

const hourMs = 3_600_000;
/** The lifetimes of shards and records in AWS. */
const streamTimes: StreamTimes = { shardLifetimeMs: 4 * hourMs, retentionMs: 24 * hourMs };

/**
 * All operations, as operations that dynalite executes. An unexpected error in a listed operation results in a
 * response, not in an exception that ends the process.
 */
const ofDynalite = Object.fromEntries(
  dynamoDbOperations.names.map((name) => [`${dynamoDbOperations.target}.${name}`, () => undefined]),
);

void serve(async (path, { intervalMs = maintenanceIntervalMs, ...times } = {}) => {
  if (path !== null) await repairTables(path);
  const { server, store } = createDynalite(path);
  const changes = followChanges(store, { ...streamTimes, ...times });
  // Open the database before the first request because an error response to a request would not contain the reason for
  // a failure.
  await store.db.open();
  addOperations(server, { ...ofDynalite, ...itemRequests(store), ...changes.operations });
  explainOperations(server);
  await changes.start(server, intervalMs);
  return server;
});

/**
 * Activates the tables that were being created, updated, or deleted when the process was killed: dynalite takes two
 * steps for each of these operations. Removes an index that was being added to a table, because the index lacks some
 * items. Opening the database here also reports an unusable database before the server starts.
 */
async function repairTables(path: string): Promise<void> {
  const { db: database, tableDb } = db.create({ path });
  await database.open();
  for await (const table of tableDb.createValueStream()) {
    if (table.TableStatus === 'ACTIVE') continue;
    const complete = table.TableStatus === 'UPDATING' ? withoutIncompleteIndexes(table) : table;
    for (const index of complete.GlobalSecondaryIndexes ?? []) index.IndexStatus = 'ACTIVE';
    const settled: Table = { ...complete, TableStatus: 'ACTIVE' };
    await promisify(tableDb.put)(table.TableName, settled);
  }
  await database.close();
}

/** Responds to unsupported operations with an explanation because dynalite's error has no message. */
function explainOperations(server: Server): void {
  const others = detachListeners(server);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const target = request.headers['x-amz-target'];
    const isOfStreams = String(target).startsWith(dynamoDbStreamsOperations.target);
    const message = explainUnknown(
      target,
      isOfStreams ? dynamoDbStreamsOperations : dynamoDbOperations,
    );
    if (message === undefined) return others(request, response);
    request.resume();
    const __type = 'com.amazonaws.dynamodb.v20120810#UnknownOperationException';
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify({ __type, message }));
  });
}
