import type { OutgoingRecord } from '../../stream/event-stream.ts';

// PutRecords accepts up to 500 records and 10 MB, including partition keys. The limit used to be 5 MB, which other
// implementations of Kinesis still enforce.
const maximumRecords = 500;
const maximumBytes = 5 * 1024 * 1024;

/** A record that is being put on the stream. */
export interface PendingRecord {
  readonly record: OutgoingRecord;
  /** How many times the stream rejected the record. */
  refusals: number;
}

/**
 * Records to put on the stream, in lanes. A lane contains the records from one sender with one partition key. A record
 * is sent only after the stream has accepted the previous records in its lane.
 *
 * PutRecords guarantees no order among the records in a request because it can reject a record and accept later
 * records. A request therefore contains at most one record per lane, unless records share a `moment`.
 *
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecords.html
 */
export class RecordLanes {
  /**
   * The lanes by sender and partition key. A lane is an ordered list of sets; the order within a set is irrelevant.
   */
  readonly #lanes = new Map<string, Set<PendingRecord>[]>();

  constructor(records: readonly OutgoingRecord[]) {
    for (const record of records) {
      const name = laneOf(record);
      const lane = this.#lanes.get(name) ?? [];
      this.#lanes.set(name, lane);
      const before = lane.at(-1)?.values().next().value?.record;
      const isTogether = record.moment !== undefined && record.moment === before?.moment;
      if (!isTogether) lane.push(new Set());
      lane.at(-1)!.add({ record, refusals: 0 });
    }
  }

  /**
   * Returns the records for the next request: as many unblocked records as fit. The result is empty if no records are
   * left.
   */
  next(): PendingRecord[] {
    const request: PendingRecord[] = [];
    let bytes = 0;
    for (const waiting of this.#heads()) {
      const more = bytesOf(waiting.record);
      if (request.length > 0 && bytes + more > maximumBytes) continue;
      request.push(waiting);
      bytes += more;
      if (request.length === maximumRecords) break;
    }
    return request;
  }

  /** Removes a record that the stream accepted. */
  remove(waiting: PendingRecord): void {
    const name = laneOf(waiting.record);
    const lane = this.#lanes.get(name)!;
    lane[0]!.delete(waiting);
    if (lane[0]!.size === 0) lane.shift();
    if (lane.length === 0) this.#lanes.delete(name);
  }

  /** Removes all records in the lane of a record that the stream keeps rejecting. Returns the removed records. */
  giveUp({ record }: PendingRecord): OutgoingRecord[] {
    const name = laneOf(record);
    const lane = this.#lanes.get(name) ?? [];
    this.#lanes.delete(name);
    return lane.flatMap((together) => [...together].map((waiting) => waiting.record));
  }

  /** Yields each lane's unblocked records. */
  *#heads(): Generator<PendingRecord> {
    for (const [together] of this.#lanes.values()) yield* together!;
  }
}

/** Returns the name of a record's lane. */
export const laneOf = ({ partitionKey, sender }: OutgoingRecord): string =>
  JSON.stringify([partitionKey, sender]);

const bytesOf = ({ partitionKey, data }: OutgoingRecord) =>
  data.byteLength + Buffer.byteLength(partitionKey);
