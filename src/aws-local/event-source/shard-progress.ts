import type { ShardRecord } from './shards.ts';

/** A record that is read and not yet processed. */
export interface PendingRecord extends ShardRecord {
  /** What it takes within the event. */
  readonly bytes: number;
}

/**
 * How far a shard is. Lanes complete records in any order; the checkpoint is the last record before
 * which every record is complete, so that a restart may repeat records but never skips one.
 */
export class ShardProgress {
  /** In the order of the shard: read, and not yet passed by the checkpoint. */
  readonly #ahead: string[] = [];
  readonly #completed = new Set<string>();
  #bytes = 0;

  /** How many records the checkpoint has not passed. */
  get pendingRecords(): number {
    return this.#ahead.length;
  }

  /** The bytes of the records that are not complete. */
  get pendingBytes(): number {
    return this.#bytes;
  }

  add(records: readonly PendingRecord[]): void {
    for (const record of records) {
      this.#ahead.push(record.sequenceNumber);
      this.#bytes += record.bytes;
    }
  }

  /** Returns the sequence number of the new checkpoint, if it moved. */
  complete(records: readonly PendingRecord[]): string | undefined {
    for (const record of records) {
      this.#completed.add(record.sequenceNumber);
      this.#bytes -= record.bytes;
    }
    const stuckAt = this.#ahead.findIndex((sequenceNumber) => !this.#completed.has(sequenceNumber));
    const passed = this.#ahead.splice(0, stuckAt === -1 ? this.#ahead.length : stuckAt);
    for (const sequenceNumber of passed) this.#completed.delete(sequenceNumber);
    return passed.at(-1);
  }
}
