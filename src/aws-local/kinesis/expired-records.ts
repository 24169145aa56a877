import { createDecipheriv } from 'node:crypto';
import db, { type Store } from 'kinesalite/db/index.js';

/** Deletes the expired records of all streams. kinesalite deletes a record only when a read passes over it. */
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

interface Page {
  readonly Records: readonly object[];
  readonly NextShardIterator?: string;
  readonly MillisBehindLatest: number;
}

/**
 * Corrects the response to `GetRecords` if it is empty because all records that kinesalite read have expired. Such a
 * response looks like one at the end of the shard, although further records can follow.
 */
export function correctEmptyPage(request: string, response: string): string {
  const page = JSON.parse(response) as Partial<Page>;
  const { ShardIterator } = JSON.parse(request) as { readonly ShardIterator: string };
  if (page.Records?.length !== 0 || page.NextShardIterator === undefined) return response;
  const [before, after] = [ShardIterator, page.NextShardIterator].map(sequenceOf);
  // At the end of the shard, only the time of the iterator changes.
  if (before!.seqIx === after!.seqIx) return response;
  const MillisBehindLatest = Math.max(1, Date.now() - (after!.seqTime ?? 0));
  return JSON.stringify({ ...page, MillisBehindLatest });
}

/** Returns the position in a kinesalite iterator, an encrypted list of time, stream, shard and position. */
function sequenceOf(iterator: string) {
  const decipher = createDecipheriv('aes-256-cbc', db.ITERATOR_PWD_KEY, db.ITERATOR_PWD_IV);
  const encrypted = Buffer.from(iterator, 'base64').subarray(8);
  const text = Buffer.concat([decipher.update(encrypted), decipher.final()]).toString();
  return db.parseSequence(text.split('/')[3]!);
}
