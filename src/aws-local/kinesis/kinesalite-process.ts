import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import kinesalite from 'kinesalite';
import db from 'kinesalite/db/index.js';
import { serve } from '../endpoints/serve.ts';
import { translateRequests } from './kinesis-requests.ts';
import { optimizeSequenceNumbers } from './optimize-sequence-numbers.ts';

/** The interval of announcements during continuous puts, in milliseconds. */
const announcementIntervalMs = 50;

void serve(async (path) => {
  optimizeSequenceNumbers();
  if (path !== null) await repairStreams(path);
  const server = kinesalite({
    ...(path !== null && { path }),
    createStreamMs: 0,
    deleteStreamMs: 0,
    updateStreamMs: 0,
    shardLimit: 10_000,
  });
  translateRequests(server);
  announcePuts(server);
  return server;
});

/** Prints a line after a put: immediately for the first one, then at most once per interval. */
function announcePuts(server: Server): void {
  let isWaiting = false;
  let isDue = false;
  const tell = (): void => {
    if (isWaiting) {
      isDue = true;
      return;
    }
    process.stdout.write('\n');
    isDue = false;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      if (isDue) tell();
    }, announcementIntervalMs);
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (/\.PutRecords?$/.test(String(request.headers['x-amz-target'])))
      response.once('finish', tell);
  });
}

/**
 * Repairs streams whose two-step change was interrupted by a kill: a new stream is deleted, and an updated one keeps
 * its previous shards. Opening the database here also reports an unusable database before the server starts.
 */
async function repairStreams(path: string): Promise<void> {
  const store = db.create({ path });
  await once(store.db, 'open'); // it opens automatically; a failure emits an error event
  for await (const stream of store.metaDb.createValueStream()) {
    if (stream.StreamStatus === 'UPDATING') {
      await store.metaDb.put(stream.StreamName, { ...stream, StreamStatus: 'ACTIVE' });
    } else if (stream.StreamStatus !== 'ACTIVE') {
      await store.metaDb.del(stream.StreamName);
    }
  }
  await store.db.close();
}
