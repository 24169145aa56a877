import { KinesisShardReader } from '../../../src/aws-local/event-source/kinesis-shard-reader.ts';

/** Makes records reach event sources as if they had been on their stream for a long time. */
export class RecordAge {
  /** Added to the age of every record that is read from now on, in milliseconds. */
  addedMs = 0;

  /** Applies the added age to the event sources that start from now on. */
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
