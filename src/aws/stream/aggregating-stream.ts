import { inChunksWithin } from '../../common/chunks.ts';
import type { EventStream, OutgoingRecord } from '../../stream/event-stream.ts';
import { RecordsRefusedError } from '../../stream/records-refused-error.ts';
import { aggregatedRecord } from './aggregated-record.ts';
import { laneOf } from './record-lanes.ts';

/**
 * The maximum number of records from one sender with one partition key that are not aggregated. Without aggregation,
 * each of these records needs a separate request, and a function could not send thousands of them before its timeout.
 * Up to this number, other readers of the stream receive plain events.
 */
const maximumSequential = 100;
/**
 * The limits of an aggregated record. By default, Kinesis accepts records of up to 1 MB, and the format adds a few
 * bytes to each user record. Smaller records are easier to fit into the throughput of a shard.
 */
const recordLimits = { values: 1_000, bytes: 500_000 };

/**
 * An event stream that aggregates records from one sender with one partition key if there are many such records. The
 * dispatcher splits aggregated records and applies their events in order.
 */
export class AggregatingStream implements EventStream {
  readonly #stream: EventStream;

  constructor(stream: EventStream) {
    this.#stream = stream;
  }

  async put(records: readonly OutgoingRecord[]): Promise<void> {
    if (records.length <= maximumSequential) return this.#stream.put(records);
    const lanes = [...Map.groupBy(records, laneOf).values()];
    const packs = lanes.flatMap((lane) =>
      lane.length > maximumSequential ? aggregatedInOrder(lane) : lane.map(plain),
    );
    try {
      await this.#stream.put(packs.map(({ record }) => record));
    } catch (error) {
      if (!(error instanceof RecordsRefusedError)) throw error;
      // Callers identify records by the objects that they passed.
      const refused = packs.filter(({ record }) => error.refused.has(record));
      throw new RecordsRefusedError(
        error.message,
        refused.flatMap((pack) => pack.records),
      );
    }
  }
}

/** A record to put on the stream, and the given records that it contains. */
interface Pack {
  readonly record: OutgoingRecord;
  readonly records: readonly OutgoingRecord[];
}

const plain = (record: OutgoingRecord): Pack => ({ record, records: [record] });

function aggregatedInOrder(lane: readonly OutgoingRecord[]): Pack[] {
  return inChunksWithin(lane, recordLimits, ({ data }) => data.byteLength).map((records) => {
    const [{ partitionKey, sender }, ...others] = records as [OutgoingRecord, ...OutgoingRecord[]];
    if (others.length === 0) return plain(records[0]!);
    const data = aggregatedRecord(
      partitionKey,
      records.map((each) => each.data),
    );
    return { record: { partitionKey, data, ...(sender !== undefined && { sender }) }, records };
  });
}
