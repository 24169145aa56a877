import type { StoredStream } from './stored-stream.ts';

// Table names contain no `~`, so the keys of different tables do not overlap.
const [streams, records] = ['change-stream~', 'change-record~'];
/** A character that sorts after every character in a key. */
const end = '\u00ff';

type Named = Pick<StoredStream, 'tableName' | 'label'>;

/** The key range of the descriptions of all streams. */
export const allStreams = { gte: streams, lt: streams + end };

/** The key of a stream's description. */
export const streamKey = ({ tableName, label }: Named) => `${streams}${tableName}~${label}`;

/** The key of a record. The keys of a shard's records sort by sequence number. */
export const recordKey = (stream: Named, shardId: string, sequenceNumber: string) =>
  `${shardPrefix(stream, shardId)}${sequenceNumber}`;

/** The key range of a shard's records. */
export function shardRange(stream: Named, shardId: string): { gte: string; lt: string } {
  const prefix = shardPrefix(stream, shardId);
  return { gte: prefix, lt: prefix + end };
}

const shardPrefix = ({ tableName, label }: Named, shardId: string) =>
  `${records}${tableName}~${label}~${shardId}~`;
