import { hash } from 'node:crypto';

/** Returns the lane of a partition key. All records of a key are in the same lane, so that they stay in order. */
export function laneOf(partitionKey: string, lanes: number): number {
  return hash('md5', partitionKey, 'buffer').readUInt32BE(12) % lanes;
}
