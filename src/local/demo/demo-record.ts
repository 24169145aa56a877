import type { Json } from '../../core/json/json.ts';

/** An event in the demo data: its instance, and the other attributes of a CloudEvent. */
export interface DemoEvent {
  readonly model: string;
  readonly transaction: string;
  readonly source: string;
  readonly type: string;
  /** The time of the event, in milliseconds since 1970. */
  readonly at: number;
  readonly data?: Json;
}

export interface DemoRecord {
  /**
   * When the record is due on the stream, in milliseconds since 1970. Records from the past are put on the stream
   * immediately.
   */
  readonly at: number;
  readonly partitionKey: string;
  readonly text: string;
}

/** Converts an event to a record for the stream. `id` identifies the event among the events from its source. */
export function recordOf({ model, transaction, at, ...event }: DemoEvent, id: string): DemoRecord {
  const cloudEvent = {
    specversion: '1.0',
    id,
    ...event,
    modelid: model,
    transactionid: transaction,
    time: new Date(at).toISOString(),
  };
  return { at, partitionKey: transaction, text: JSON.stringify(cloudEvent) };
}
