import type { EventStream, OutgoingRecord } from '../../src/stream/event-stream.ts';

/** A stream in memory, which can be told to fail. */
export class MemoryEventStream implements EventStream {
  readonly records: OutgoingRecord[] = [];
  failure: Error | undefined;

  async put(records: readonly OutgoingRecord[]): Promise<void> {
    await Promise.resolve();
    if (this.failure) throw this.failure;
    this.records.push(...records);
  }

  /** What was put, read as JSON. */
  get events(): unknown[] {
    return this.records.map(({ data }) => JSON.parse(Buffer.from(data).toString()) as unknown);
  }
}
