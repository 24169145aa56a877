import { KinesisEventStream } from '../../../src/aws/stream/kinesis-event-stream.ts';
import { skipSleep } from '../skip-sleep.ts';
import { type KeptRecord, MemoryKinesis } from './memory-kinesis.ts';

/** The event stream on an in-memory Kinesis. The client retries without waiting. */
export class EventStreamInMemory extends KinesisEventStream {
  readonly kinesis: MemoryKinesis;

  constructor() {
    const kinesis = new MemoryKinesis();
    super(kinesis, 'events', { now: () => Date.UTC(2026, 0, 1), sleep: skipSleep });
    this.kinesis = kinesis;
  }

  /** The accepted records, in order. */
  get records(): KeptRecord[] {
    return this.kinesis.records;
  }

  /** The parsed JSON of the accepted records. */
  get events(): unknown[] {
    return this.records.map(({ data }) => JSON.parse(Buffer.from(data).toString()) as unknown);
  }
}
