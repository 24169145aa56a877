import type { ShardRecord } from './shards.ts';

/** A record that has been read but not yet processed. */
export interface PendingRecord extends ShardRecord {
  /** The number of records that were read from the shard before this record. */
  readonly position: number;
  /** The size of the record in the event, in bytes. */
  readonly bytes: number;
}

/**
 * Tracks the progress of a shard. Records can be completed in any order. The checkpoint is the last record before the
 * first incomplete record, so a restart may repeat records but never skips a record.
 */
export class ShardProgress {
  /** The records beyond the checkpoint, in shard order. */
  readonly #ahead: string[] = [];
  readonly #completed = new Set<string>();
  #bytes = 0;

  /** The number of records beyond the checkpoint. */
  get pendingRecords(): number {
    return this.#ahead.length;
  }

  /** The total size of the incomplete records, in bytes. */
  get pendingBytes(): number {
    return this.#bytes;
  }

  add(records: readonly PendingRecord[]): void {
    for (const record of records) {
      this.#ahead.push(record.sequenceNumber);
      this.#bytes += record.bytes;
    }
  }

  /** Returns the sequence number of the new checkpoint, or undefined if the checkpoint did not move. */
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
