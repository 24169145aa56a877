import { once } from 'node:events';
import kinesalite from 'kinesalite';
import db from 'kinesalite/db/index.js';
import { serve } from './serve.ts';

await serve(async (path) => {
  if (path !== null) await settleStreams(path);
  return kinesalite({
    ...(path !== null && { path }),
    createStreamMs: 0,
    deleteStreamMs: 0,
    updateStreamMs: 0,
    shardLimit: 10_000,
  });
});

/**
 * Streams change their state in two steps, and a kill between them would leave one half-made for
 * ever. Such a stream goes back to what it was: it is not there, or has the shards it had. It also
 * finds out that the database does not open while there is somebody to tell.
 */
async function settleStreams(path: string): Promise<void> {
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
