import { expect } from 'vitest';
import { DynamoDbDeadLetterStore } from '../../../src/aws/dead-letters/dynamodb-dead-letter-store.ts';
import { DynamoDbParkingStore } from '../../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { partitionOf } from '../../../src/aws/instances/instance-keys.ts';
import { userRecords } from '../../../src/aws/stream/user-records.ts';
import type { Clock } from '../../../src/common/clock.ts';
import { Deadline } from '../../../src/common/deadline.ts';
import { dispatch } from '../../../src/dispatcher/dispatch.ts';
import { FailureTracker } from '../../../src/dispatcher/failures/failure-tracker.ts';
import { RegistryCache } from '../../../src/dispatcher/registry-cache.ts';
import type { TransitionRequest } from '../../../src/model-runtime/protocol.ts';
import { transition } from '../../../src/model-runtime/transition.ts';
import type { EventStream } from '../../../src/stream/event-stream.ts';
import { redriveRecord } from '../../../src/stream/redrive-record.ts';
import { SignedStream } from '../../../src/stream/signing/signed-stream.ts';
import type { StreamRecord } from '../../../src/stream/stream-record.ts';
import { dynamoDbOf } from '../aws-in-memory/dynamodb-of.ts';
import { MemoryDynamoDb } from '../aws-in-memory/memory-dynamodb.ts';
import { ModelRegistryInMemory } from '../aws-in-memory/model-registry-in-memory.ts';
import { NotifierInMemory } from '../aws-in-memory/notifier-in-memory.ts';
import { macsOf, signed } from '../data/event-macs.ts';
import { counter } from './counter-model.ts';
import { registryEntry } from './registry-entry.ts';

/** Executes a dispatcher's call: a request to DynamoDB, a put on the stream, or an invocation. */
export type Call = (effect: () => Promise<unknown>, name: string) => Promise<unknown>;

const model = 'counter';
const silent = { deadLetters: () => {}, parked: () => {}, failures: () => {} };

/** Dispatchers of one stream on in-memory tables, with a hook around each of their calls. */
export class ParkingWorld {
  readonly database = new MemoryDynamoDb({ instances: {}, letters: {} });
  readonly clock: Clock;
  /** Whether the model fails on events of the type `failed`. */
  isBroken = true;
  /** The records that dispatchers put on the stream. */
  readonly continued: StreamRecord[] = [];
  #sequence = 1_000;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  record(transaction: string, id: string, type = 'added'): StreamRecord {
    const data = { id, type, modelid: model, transactionid: transaction, data: { n: 1 } };
    return this.#recordOf(transaction, Buffer.from(JSON.stringify(data)));
  }

  redrive(transaction: string): StreamRecord {
    const { partitionKey, data } = redriveRecord({ model, transaction });
    return this.#recordOf(partitionKey, signed(JSON.parse(String(data)) as object));
  }

  /** Delivers a batch to a new dispatcher. Returns the records that the dispatcher hands back to the stream. */
  deliver(
    records: readonly StreamRecord[],
    call: Call = (effect) => effect(),
  ): Promise<StreamRecord[]> {
    const { clock } = this;
    const client = dynamoDbOf({
      send: (command) => call(() => this.database.send(command), command.constructor.name),
    });
    const stream: EventStream = {
      put: async (outgoing) => {
        await call(() => {
          for (const { partitionKey, data } of outgoing)
            this.continued.push(this.#recordOf(partitionKey, data));
          return Promise.resolve();
        }, 'PutRecords');
      },
    };
    const macs = macsOf();
    const environment = {
      deaggregate: userRecords,
      registry: new RegistryCache(new ModelRegistryInMemory(registryEntry(model)), clock),
      parking: new DynamoDbParkingStore(client, 'instances', clock),
      deadLetters: new DynamoDbDeadLetterStore(client, 'letters', clock),
      models: {
        transition: async (_: string, request: unknown) => {
          const outcomes = await call(() => this.#invoke(request as TransitionRequest), 'Invoke');
          return { kind: 'answered', answer: { outcomes } } as never;
        },
      },
      stream: new SignedStream(stream, macs),
      macs,
      retry: { attempts: 2, backoff: 1 },
      failureTracker: new FailureTracker(),
      clock,
      log: silent,
    };
    return dispatch(environment, records, new Deadline(clock, clock.now() + 900_000));
  }

  /** Returns the ids of the events in an instance's history. */
  async applied(transaction: string): Promise<string[]> {
    const store = new DynamoDbInstanceStore(this.database.dynamoDb, 'instances');
    const { commits } = await store.commitsFrom({ model, transaction }, 1, 100_000);
    return commits.flatMap(({ entries }) => entries.map(({ event }) => event.id));
  }

  /** Returns the ids of an instance's parked events. Checks that its status row and the dead letters agree. */
  parked(transaction: string): string[] {
    const items = this.#itemsOf(transaction);
    const row = items.find(({ sk }) => sk!.S === 'STATUS');
    const queue = items.filter(({ sk }) => sk!.S!.startsWith('PARKED#'));
    const ids = queue.map(({ event }) => (JSON.parse(event!.S!) as { id: string }).id);
    const letters = this.database
      .items('letters')
      .filter(({ transactionId }) => transactionId?.S === transaction)
      .map(({ eventId }) => eventId!.S!);
    expect(letters.toSorted()).toEqual(ids.toSorted());
    expect(Number(row?.parked?.N ?? 0)).toBe(ids.length);
    return ids;
  }

  /** Reports whether the model failed on the oldest parked event. Only such an event can block a queue. */
  isOldestAtFault(transaction: string): boolean {
    const oldest = this.#itemsOf(transaction).find(({ sk }) => sk!.S!.startsWith('PARKED#'));
    return oldest?.fault?.BOOL === true;
  }

  /** Returns the number of unfinished queue changes of an instance. */
  announced(transaction: string): number {
    const row = this.#itemsOf(transaction).find(({ sk }) => sk!.S === 'STATUS');
    return row?.parking?.SS?.length ?? 0;
  }

  #itemsOf(transaction: string) {
    const name = partitionOf({ model, transaction });
    return this.database.items('instances').filter(({ pk }) => pk!.S === name);
  }

  #invoke({ events, resume }: TransitionRequest) {
    const client = this.database.dynamoDb;
    const code = {
      ...counter,
      transition: ((event, ...rest) =>
        counter.transition(
          event.type === 'failed' && !this.isBroken
            ? { ...event, type: 'added', data: { n: 1 } }
            : event,
          ...rest,
        )) as typeof counter.transition,
    };
    const environment = {
      model: code,
      store: new DynamoDbInstanceStore(client, 'instances'),
      stream: { put: () => Promise.resolve() },
      notifier: new NotifierInMemory(),
      clock: this.clock,
    };
    return transition(environment, events, { resume });
  }

  #recordOf(partitionKey: string, data: Uint8Array): StreamRecord {
    const sequence = String(++this.#sequence);
    return {
      recordId: `shard:${sequence}`,
      position: { shard: 'shard', sequence },
      partitionKey,
      arrivedAt: this.clock.now(),
      data,
    };
  }
}
