import { once } from 'node:events';
import kinesalite from 'kinesalite';
import db from 'kinesalite/db/index.js';
import { announcer } from '../endpoints/announcer.ts';
import { serve } from '../endpoints/serve.ts';
import { cacheStreams } from './cache-streams.ts';
import { deleteExpiredRecords } from './expired-records.ts';
import { translateRequests } from './kinesis-requests.ts';
import { limitPages } from './limit-pages.ts';
import { optimizeSequenceNumbers } from './optimize-sequence-numbers.ts';
import { rejectNulls } from './reject-nulls.ts';

void serve(async (path) => {
  optimizeSequenceNumbers();
  rejectNulls();
  if (path !== null) await repairStreams(path);
  cacheStreams();
  limitPages();
  const server = kinesalite({
    ...(path !== null && { path }),
    createStreamMs: 0,
    deleteStreamMs: 0,
    updateStreamMs: 0,
    shardLimit: 10_000,
  });
  // When the parent process receives an announcement, it reads the stream immediately.
  translateRequests(server, announcer());
  return server;
});

/**
 * How far the indexes in sequence numbers advance at each start. A power failure can remove the latest records, but not
 * the checkpoints of their readers. Without the gap, new records would have the sequence numbers of removed records,
 * and their readers would skip them.
 */
const indexGap = 1_000_000;

/**
 * Repairs the streams that were being changed when the process was killed, because kinesalite changes a stream in two
 * steps. A stream that was being created or deleted is deleted, and an updated stream keeps its previous shards. Also
 * advances the sequence numbers and deletes expired records. Opening the database here reports an unusable database
 * before the server starts.
 */
async function repairStreams(path: string): Promise<void> {
  const store = db.create({ path });
  await once(store.db, 'open'); // the database opens automatically; a failure emits an error event
  for await (const stream of store.metaDb.createValueStream()) {
    if (stream.StreamStatus === 'ACTIVE' || stream.StreamStatus === 'UPDATING') {
      const _seqIx = stream._seqIx.map((index) => (index ?? 0) + indexGap);
      await store.metaDb.put(stream.StreamName, { ...stream, StreamStatus: 'ACTIVE', _seqIx });
    } else {
      await store.metaDb.del(stream.StreamName);
    }
  }
  await deleteExpiredRecords(store, Date.now());
  await store.db.close();
}
