import { hash } from 'node:crypto';

/** Returns the lane of a partition key. All records with the same key use the same lane, so they stay in order. */
export function laneOf(partitionKey: string, lanes: number): number {
  return hash('md5', partitionKey, 'buffer').readUInt32BE(12) % lanes;
}
