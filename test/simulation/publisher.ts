import { hash } from 'node:crypto';
import type { KinesisStreamEvent } from 'aws-lambda';
import { type BatchHandler, streamHandler } from '../../lambdas/support/stream-handler.ts';
import type { Kinesis } from '../../src/aws/client/kinesis.ts';
import { DynamoDbDeadLetterStore } from '../../src/aws/dead-letters/dynamodb-dead-letter-store.ts';
import { EventBridgeBus } from '../../src/aws/notifications/eventbridge-bus.ts';
import { MemoryCheckpoints } from '../../src/aws-local/event-source/checkpoints.ts';
import type { EventSourceMapping } from '../../src/aws-local/event-source/event-source-mapping.ts';
import type { InvocationResult } from '../../src/aws-local/event-source/options.ts';
import { Chance } from '../../src/common/chance.ts';
import { ExpiringSet } from '../../src/common/expiring-set.ts';
import {
  type PublishDependencies,
  publishNotifications,
} from '../../src/publisher/publish-notifications.ts';
import { MemoryDynamoDb } from '../support/aws-in-memory/memory-dynamodb.ts';
import { notificationsIn } from './audit/notifications.ts';
import { dynamoDbClientOf } from './dynamodb-client.ts';
import type { Environment } from './environment.ts';
import { awaited, startSource } from './event-source.ts';
import { publisherTimeout } from './function-times.ts';
import { type Context, Lambda } from './lambda.ts';
import type { Account } from './lambdas.ts';
import type { PublishedNotification } from './log.ts';
import { Network } from './network.ts';
import { eventBridgeClientOf, putRecordsBy } from './outlets.ts';
import { SimulatedStream } from './stream.ts';

/**
 * The timeouts of the publisher that a run can have, in milliseconds. The last is the deployed timeout. The first
 * hardly leaves time to publish.
 */
const timeouts = [10_200, 15_000, publisherTimeout];
const mapping = {
  uuid: 'publisher-mapping',
  streamArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/notifications',
  functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:publisher',
  roleArn: 'arn:aws:iam::000000000000:role/publisher',
};

/**
 * The notification stream with its event source, the publisher's function, and the event bus. It draws separate random
 * numbers so that events do not depend on it.
 */
export class Publisher {
  readonly #account: Account;
  readonly #refuses: (notification: PublishedNotification) => boolean;
  readonly #stream: SimulatedStream;
  readonly #function: Lambda<KinesisStreamEvent, unknown>;
  readonly #properties: { readonly BatchSize: number; readonly ParallelizationFactor: number };
  readonly #checkpoints = new MemoryCheckpoints();
  #process: { readonly source: EventSourceMapping; readonly environment: Environment };

  /**
   * @param shared the simulated AWS account of the run. The publisher's dead letters are in a separate table, which
   *   faults of other tables do not affect.
   */
  constructor(shared: Account, seed: number) {
    const chance = new Chance(seed + 1e9);
    const { dispatcher: _, client: __, ...sabotage } = shared.sabotage;
    const database = new MemoryDynamoDb({ letters: {} });
    const { weather, outages, clock, count, timed, log } = shared;
    const network = new Network({ chance, weather, outages, clock, count });
    const own = { database, replicated: database };
    this.#account = { ...shared, chance, network, ...own, limits: false, sabotage };
    // In some runs, the bus permanently rejects some notifications until it is fixed.
    const isPicky = chance.happens(0.3);
    this.#refuses = ({ detail }) =>
      isPicky && !shared.mended && hash('md5', String(detail['id'])).startsWith('a');
    const timeout = timed ? publisherTimeout : chance.pick(timeouts);
    this.#stream = new SimulatedStream(shared.clock, chance);
    this.#properties = {
      BatchSize: chance.pick([1, 5, 100]),
      ParallelizationFactor: chance.pick([1, 10]),
    };
    this.#function = new Lambda(this.#account, {
      name: 'publisher',
      timeout,
      start: (environment) => this.#startFunction(environment, timeout),
      onTimeout: () => log.timeouts.push('the publisher'),
    });
    this.#process = this.#startSource();
  }

  /** Creates a model's client for the notification stream. */
  clientOf(account: Account, environment: Environment): Kinesis {
    return putRecordsBy(account, environment, (partitionKey, data) => {
      account.log.streamed.push(...notificationsIn(data));
      this.#stream.put(partitionKey, data);
    });
  }

  /**
   * Crashes the event source, and puts records of other producers on the notification stream, at random times within at
   * most 50 seconds.
   */
  async trouble(): Promise<void> {
    const { chance, clock, count, log } = this.#account;
    for (let n = chance.whole(0, 5); n > 0; n--) {
      await clock.sleep(chance.whole(0, 10_000));
      if (chance.happens(0.5)) {
        const content = `{"whose":"${chance.uuid()}"}`;
        log.foreign.push(content);
        this.#stream.put('any', Buffer.from(content));
        continue;
      }
      count("crashes of the publisher's event source");
      const { source, environment } = this.#process;
      environment.die('the event source exited');
      void source.stop();
      this.#process = this.#startSource();
    }
  }

  /** Resolves when every notification on the stream is published or a dead letter. */
  async idle(): Promise<void> {
    await this.#process.source.waitUntilIdle();
    const { running } = this.#function;
    while (running.size > 0) await Promise.all(running);
    await this.#account.network.settled();
  }

  stop(): Promise<void> {
    return this.#process.source.stop();
  }

  /** Returns the bytes of the publisher's dead letters, read from the raw items. */
  setAside(): Uint8Array[] {
    return this.#account.database.items('letters').map(({ raw }) => raw!.B!);
  }

  /** Redrives the notifications that the bus rejected. */
  redrive(): void {
    for (const { raw, partitionKey } of this.#account.database.items('letters'))
      if (notificationsIn(raw!.B!).length > 0) this.#stream.put(partitionKey!.S!, raw!.B!);
  }

  #startFunction(environment: Environment, timeout: number) {
    const { sabotage, count } = this.#account;
    const { clock } = environment;
    const bus = eventBridgeClientOf(this.#account, environment, this.#refuses);
    const intact: PublishDependencies = {
      bus: new EventBridgeBus(bus, 'bus', clock),
      deadLetters: new DynamoDbDeadLetterStore(
        dynamoDbClientOf(this.#account, environment),
        'letters',
        clock,
      ),
      filter: {},
      finishedRecordIds: new ExpiringSet(clock, 300_000),
      log: {
        refused: () => count('batches with rejected notifications'),
        failures: () => count('batches with notifications to redeliver'),
      },
    };
    const used = { ...intact, ...sabotage.publisher?.(intact) };
    const all: BatchHandler = (records, deadline) => publishNotifications(used, records, deadline);
    const handler = streamHandler(clock, sabotage.publishing?.(all) ?? all);
    return (event: KinesisStreamEvent, context: Context) => {
      const time = Math.min(timeout, context.getRemainingTimeInMillis());
      return handler(event, { getRemainingTimeInMillis: () => time });
    };
  }

  async #invoke(event: KinesisStreamEvent): Promise<InvocationResult> {
    const { chance, count, weather } = this.#account;
    if (chance.happens(weather.refused)) return { kind: 'throttled', message: 'throttled' };
    return awaited(this.#account, this.#function.invoke(event), () =>
      count('publishers abandoned by their callers'),
    );
  }

  #startSource() {
    return startSource(this.#account, "publisher's event source", {
      mapping,
      properties: this.#properties,
      reader: this.#stream,
      invoke: (event) => this.#invoke(event),
      checkpoints: this.#checkpoints,
      log: () => undefined,
    });
  }
}
