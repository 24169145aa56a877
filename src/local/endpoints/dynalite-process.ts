import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import dynalite from 'dynalite';
import db, { type Store } from 'dynalite/db/index.js';
import { executeBatch, type Statement } from './batch-execute-statement.ts';
import { tableOf, writeIndexesWithItems } from './dynalite-store.ts';
import { serve } from './serve.ts';

const MAXIMUM_STATEMENTS = 25;

await serve(async (path) => {
  if (path !== null) await tryOpening(path);
  void writeIndexesWithItems;
  // dynalite keeps its store to itself; this is where it makes one.
  const { create } = db;
  let store: Store | undefined;
  db.create = (options) => {
    store = create(options);
    return store;
  };
  const server = dynalite({
    ...(path !== null && { path }),
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
  });
  if (store === undefined) throw new Error('dynalite made no store');
  answerBatches(server, store);
  return server;
});

/** Finds out that the database does not open while there is somebody to tell. */
async function tryOpening(path: string): Promise<void> {
  const { db: database } = db.create({ path });
  await database.open();
  await database.close();
}

/** Answers BatchExecuteStatement, which dynalite does not know, and leaves it the rest. */
function answerBatches(server: Server, store: Store): void {
  const others = server.listeners('request');
  const table = tableOf(store);
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers['x-amz-target'] !== 'DynamoDB_20120810.BatchExecuteStatement') {
      for (const other of others) other.call(server, request, response);
      return;
    }
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(body));
    };
    json(request)
      .then(async (body) => {
        const { Statements } = body as { Statements: readonly Statement[] };
        if (Statements.length > MAXIMUM_STATEMENTS) {
          const message = `Member must have length less than or equal to ${MAXIMUM_STATEMENTS}`;
          return answer(400, { __type: 'com.amazon.coral.validate#ValidationException', message });
        }
        answer(200, { Responses: await executeBatch(table, Statements) });
      })
      .catch((error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        answer(500, { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError' });
      });
  });
}
