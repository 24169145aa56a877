import { createDecipheriv } from 'node:crypto';
import db, { type Sequence } from 'kinesalite/db/index.js';

/** A position in a shard. */
export interface IteratorPosition extends Sequence {
  readonly streamName: string;
  readonly shardId: string;
}

/** Returns the position in a kinesalite iterator, an encrypted list of time, stream, shard, and position. */
export function positionOf(iterator: string): IteratorPosition {
  const decipher = createDecipheriv('aes-256-cbc', db.ITERATOR_PWD_KEY, db.ITERATOR_PWD_IV);
  const encrypted = Buffer.from(iterator, 'base64').subarray(8);
  const text = Buffer.concat([decipher.update(encrypted), decipher.final()]).toString();
  const [, streamName, shardId, sequence] = text.split('/') as [string, string, string, string];
  return { ...db.parseSequence(sequence), streamName, shardId };
}
