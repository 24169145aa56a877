import { KinesisShardReader } from '../../../src/aws-local/event-source/kinesis-shard-reader.ts';

/** Makes records look older to event sources than they are. */
export class RecordAge {
  /** How much is added to the age of every record when it is read, in milliseconds. */
  addedMs = 0;

  /** Replaces a method of `KinesisShardReader`. The change affects only event sources that start later. */
  constructor() {
    const age = (arrivedAt: number) => arrivedAt - this.addedMs;
    const { open } = KinesisShardReader.prototype; // oxlint-disable-line typescript/unbound-method -- called with `this` below
    KinesisShardReader.prototype.open = function openAged(...position) {
      const cursor = open.apply(this, position);
      return {
        async read(...options) {
          const page = await cursor.read(...options);
          const records = page.records.map((each) => ({ ...each, arrivedAt: age(each.arrivedAt) }));
          return { ...page, records };
        },
      };
    };
  }
}
