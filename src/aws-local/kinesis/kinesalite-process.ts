import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import kinesalite from 'kinesalite';
import db from 'kinesalite/db/index.js';
import { serve } from '../endpoints/serve.ts';
import { translateRequests } from './kinesis-requests.ts';
import { optimizeSequenceNumbers } from './optimize-sequence-numbers.ts';

/** Who puts without a pause is read so often, in milliseconds. */
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

/** Writes a line after a put, the first at once, and then at most one in a while. */
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
 * Streams change their state in two steps, and a kill between them would leave one half-made for
 * ever. Such a stream goes back to what it was: it is not there, or has the shards it had. It also
 * finds out that the database does not open while there is somebody to tell.
 */
async function repairStreams(path: string): Promise<void> {
  const store = db.create({ path });
  await once(store.db, 'open'); // it opens by itself; a failure is an error event
  for await (const stream of store.metaDb.createValueStream()) {
    if (stream.StreamStatus === 'UPDATING') {
      await store.metaDb.put(stream.StreamName, { ...stream, StreamStatus: 'ACTIVE' });
    } else if (stream.StreamStatus !== 'ACTIVE') {
      await store.metaDb.del(stream.StreamName);
    }
  }
  await store.db.close();
}
