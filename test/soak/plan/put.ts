import { hash } from 'node:crypto';

/** A planned event, in the form in which its source system sends it. */
export interface PlannedEvent {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly modelid: string;
  readonly transactionid: string;
  readonly time?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A record that a producer puts on the stream. */
export interface Put {
  /** When the producer sends the record, in milliseconds since the start. */
  readonly at: number;
  /** Undefined for a record that is not a valid event, or that no model accepts. */
  readonly event: PlannedEvent | undefined;
  readonly bytes: Buffer;
  readonly partitionKey: string;
  readonly way: 'api' | 'kinesis';
  /** False if the producer gives up after one attempt. The record may still have arrived. */
  readonly isRetried: boolean;
}

/** Creates the record of an event. Its partition key is a hash if the transaction id has more than 256 characters. */
export function putOf(event: PlannedEvent, how: Pick<Put, 'at' | 'way' | 'isRetried'>): Put {
  const { transactionid: name } = event;
  return {
    ...how,
    event,
    bytes: Buffer.from(JSON.stringify(event)),
    partitionKey: name.length <= 256 ? name : hash('sha256', name),
  };
}
