import db, { type Store } from 'kinesalite/db/index.js';
import { positionOf } from './iterator-position.ts';

/** Deletes the expired records in all streams. kinesalite itself deletes a record only when a read passes over it. */
export async function deleteExpiredRecords(store: Store, now: number): Promise<void> {
  for await (const {
    StreamName,
    Shards,
    RetentionPeriodHours,
  } of store.metaDb.createValueStream()) {
    const records = store.getStreamDb(StreamName);
    const oldest = now - RetentionPeriodHours * 3_600_000;
    for (const shard of Shards.keys()) {
      const range = { gte: db.shardIxToHex(shard), lt: db.shardIxToHex(shard + 1) };
      const expired: string[] = [];
      for await (const key of records.createKeyStream(range)) {
        if ((db.parseSequence(key.slice(key.indexOf('/') + 1)).seqTime ?? now) >= oldest) break;
        expired.push(key);
      }
      await records.batch(expired.map((key) => ({ type: 'del', key })));
    }
  }
}

/**
 * Returns how far the position after an empty page is behind the current time, in milliseconds, or 0 if no records
 * follow. An empty page does not mean that no records follow: kinesalite may have read only expired records.
 */
export function millisSkipped(iterator: string, nextIterator: string): number {
  const [before, after] = [iterator, nextIterator].map(positionOf);
  // At the end of the shard, only the time in the iterator changes.
  return before!.seqIx === after!.seqIx ? 0 : Math.max(1, Date.now() - (after!.seqTime ?? 0));
}
