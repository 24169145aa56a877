import type { KinesisStreamEvent } from 'aws-lambda';
import { MemoryCheckpoints } from '../../../src/aws-local/event-source/checkpoints.ts';
import { EventSourceMapping } from '../../../src/aws-local/event-source/event-source-mapping.ts';
import type { MappingIdentity } from '../../../src/aws-local/event-source/mapping-identity.ts';
import type { InvocationRecord } from '../../../src/aws-local/event-source/on-failure-destination.ts';
import type {
  EventSourceOptions,
  InvocationResult,
  Invoke,
} from '../../../src/aws-local/event-source/options.ts';
import type { EventSourceProperties } from '../../../src/aws-local/event-source/settings.ts';
import type { Random } from '../../../src/aws-local/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryStream } from './memory-stream.ts';

export const onlyShard = 'shardId-000000000000';

export const mappingIdentity: MappingIdentity = {
  uuid: '11111111-2222-3333-4444-555555555555',
  streamArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/milepost-events',
  functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:dispatcher',
  roleArn: 'arn:aws:iam::000000000000:role/dispatcher',
};

/**
 * A deterministic source of random values: waits are three quarters of the maximum, and ids are consecutive numbers.
 */
export function steadyRandom(): Random {
  let uuids = 0;
  return { fraction: () => 0.5, uuid: () => `uuid-${(uuids += 1)}` };
}

/** The code of a function, which receives the sequence numbers and the event of a batch. */
export type Handler = (batch: readonly string[], event: KinesisStreamEvent) => unknown;

export interface Invocation {
  readonly batch: readonly string[];
  readonly event: KinesisStreamEvent;
  readonly at: number;
}

/** Returns a function response that reports the given sequence numbers as failed. */
export function failedItems(...sequenceNumbers: readonly unknown[]): unknown {
  return {
    batchItemFailures: sequenceNumbers.map((itemIdentifier) => ({ itemIdentifier })),
  };
}

/** Creates event sources on an in-memory stream with a manual clock, and records the invocations of the function. */
export class Harness {
  readonly clock: ManualClock;
  readonly stream: MemoryStream;
  readonly checkpoints = new MemoryCheckpoints();
  readonly invocations: Invocation[] = [];
  readonly discarded: InvocationRecord[] = [];
  readonly logged: string[] = [];
  /** The code of the function. A thrown error is a function error. */
  handler: Handler = () => null;
  /** Returns a result of the Lambda service itself, such as throttling, or undefined to run the function. */
  service: () => InvocationResult | undefined = () => undefined;
  deliver: (record: InvocationRecord) => Promise<void> = async (record) => {
    this.discarded.push(record);
  };
  readonly #overrides: Partial<EventSourceOptions>;

  constructor(options: Partial<EventSourceOptions> & { readonly shards?: number } = {}) {
    const { shards, ...overrides } = options;
    this.clock = new ManualClock();
    this.stream = new MemoryStream(this.clock, shards);
    this.#overrides = overrides;
  }

  source(properties: Partial<EventSourceProperties> = {}): EventSourceMapping {
    return new EventSourceMapping(this.options(properties));
  }

  options(properties: Partial<EventSourceProperties> = {}): EventSourceOptions {
    return {
      mapping: mappingIdentity,
      properties: {
        StartingPosition: 'TRIM_HORIZON',
        DestinationConfig: { OnFailure: { Destination: 'arn:aws:s3:::discarded' } },
        ...properties,
      },
      reader: this.stream,
      invoke: this.#invoke,
      checkpoints: this.checkpoints,
      destination: { deliver: (record) => this.deliver(record) },
      log: (message) => this.logged.push(message),
      clock: this.clock,
      random: steadyRandom(),
      ...this.#overrides,
    };
  }

  /** Starts an event source and runs all work that does not wait for the clock. */
  async started(properties: Partial<EventSourceProperties> = {}): Promise<EventSourceMapping> {
    const source = this.source(properties);
    await source.start();
    await this.clock.settle();
    return source;
  }

  /** Starts an event source, processes all records on the stream, and stops. */
  async run(properties: Partial<EventSourceProperties> = {}): Promise<void> {
    const source = await this.started(properties);
    await this.clock.runUntil(source.waitUntilIdle());
    await this.clock.runUntil(source.stop());
  }

  /** The sequence numbers of each batch that the function has received. */
  get batches(): readonly (readonly string[])[] {
    return this.invocations.map(({ batch }) => batch);
  }

  readonly #invoke: Invoke = async (event) => {
    const refused = this.service();
    if (refused !== undefined) return refused;
    const batch = event.Records.map((record) => record.kinesis.sequenceNumber);
    this.invocations.push({ batch, event, at: this.clock.now() });
    try {
      return { kind: 'ok', response: await this.handler(batch, event), requestId: 'request' };
    } catch (error) {
      const message = String(error);
      return { kind: 'functionError', functionError: 'Unhandled', message, requestId: 'request' };
    }
  };
}
