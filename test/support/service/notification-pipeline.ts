import type { KinesisStreamEvent } from 'aws-lambda';
import type { EventBridge } from '../../../src/aws/client/eventbridge.ts';
import { EventBridgeBus } from '../../../src/aws/notifications/eventbridge-bus.ts';
import { toStreamRecord } from '../../../src/aws/stream/kinesis-event.ts';
import type { EventSourceMapping } from '../../../src/aws-local/event-source/event-source-mapping.ts';
import { Deadline } from '../../../src/common/deadline.ts';
import { ExpiringSet } from '../../../src/common/expiring-set.ts';
import { NotificationStream } from '../../../src/model-runtime/notification-stream.ts';
import type { NotificationFilter } from '../../../src/publisher/notification-filter.ts';
import {
  type PublishDependencies,
  publishNotifications,
} from '../../../src/publisher/publish-notifications.ts';
import { Harness, onlyShard } from '../../aws-local/event-source/harness.ts';
import { MemoryDynamoDb } from '../aws-in-memory/memory-dynamodb.ts';
import { deadLettersInMemory } from '../aws-in-memory/stores-in-memory.ts';

type PutEvents = EventBridge['putEvents'];
type Entries = NonNullable<Parameters<PutEvents>[0]['Entries']>;
type Answers = Awaited<ReturnType<PutEvents>>['Entries'];

/** How long the publisher can take for a batch, in milliseconds: its timeout minus the time for the response. */
const timeForBatch = 55_000;

/** A notification stream, its event source, and the publisher, on a manual clock. */
export class NotificationPipeline {
  readonly harness = new Harness({ pollIntervalMs: 1_000 });
  readonly clock = this.harness.clock;
  readonly lettersDatabase = new MemoryDynamoDb({ letters: {} });
  readonly letters = deadLettersInMemory(this.clock, this.lettersDatabase);
  /** The `detail.id` of each entry that the bus accepted, in order. */
  readonly published: string[] = [];
  /** The publisher's reasons for returning records to the stream. */
  readonly reasons: string[] = [];
  /** Returns the bus's response to a request. Entries without an error code count as accepted. By default, all are. */
  answer: (entries: Entries) => Promise<Answers> = async (entries) => entries.map(() => ({}));
  /** Selects the notifications to publish. By default, all of them. */
  filter: NotificationFilter = {};
  /** A hook after each request. If it throws, the publisher crashes. */
  afterRequest: () => void = () => undefined;
  /** The notifier that models publish to. */
  readonly notifier = new NotificationStream({
    put: async (records) => {
      for (const { partitionKey, data } of records) this.putRecord(partitionKey, data);
    },
  });
  #finished = new ExpiringSet(this.clock, 300_000);
  #end = Promise.withResolvers<never>();

  /** @param lanes the maximum number of batches from the shard that are processed concurrently */
  async start(lanes = 10): Promise<EventSourceMapping> {
    this.harness.handler = (_, event) => this.#invoke(event);
    return this.harness.started({
      BatchSize: 100,
      ParallelizationFactor: lanes,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
    });
  }

  putRecord(partitionKey: string, data: Uint8Array): void {
    this.harness.stream.putData(onlyShard, partitionKey, data);
  }

  /** Returns the ids of an instance's notifications that the bus accepted, in order and without duplicates. */
  publishedOf(transaction: string): string[] {
    return [...new Set(this.published)].filter((id) => id.includes(`/${transaction}/`));
  }

  #invoke(event: KinesisStreamEvent) {
    this.#end = Promise.withResolvers<never>();
    this.#end.promise.catch(() => undefined);
    return Promise.race([this.#publish(event), this.#end.promise]);
  }

  async #publish(event: KinesisStreamEvent) {
    const deadline = new Deadline(this.clock, this.clock.now() + timeForBatch);
    const dependencies: PublishDependencies = {
      bus: new EventBridgeBus({ putEvents: (request) => this.#put(request) }, 'bus', this.clock),
      deadLetters: this.letters,
      filter: this.filter,
      finishedRecordIds: this.#finished,
      log: {
        refused: () => undefined,
        failures: (_: number, reason: string) => this.reasons.push(reason),
      },
    };
    const records = event.Records.map(toStreamRecord);
    const failed = await publishNotifications(dependencies, records, deadline);
    return {
      batchItemFailures: failed.map(({ position }) => ({ itemIdentifier: position.sequence })),
    };
  }

  async #put({ Entries: entries = [] }: { Entries?: Entries }) {
    const answers = await this.answer(entries);
    for (const [index, { Detail }] of entries.entries())
      if (!answers?.[index]?.ErrorCode)
        this.published.push((JSON.parse(Detail!) as { id: string }).id);
    try {
      this.afterRequest();
    } catch (error) {
      // A crash clears the publisher's memory and ends its pending work.
      this.#finished = new ExpiringSet(this.clock, 300_000);
      this.#end.reject(error);
      await new Promise(() => undefined);
    }
    return { Entries: answers };
  }
}
