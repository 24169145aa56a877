import type { Hono } from 'hono';
import type { ApiDependencies } from '../../src/api/api-dependencies.ts';
import { createApi } from '../../src/api/app.ts';
import type { CustomerLinks } from '../../src/api/stores/customer-links.ts';
import type { ModelAuditor } from '../../src/api/stores/model-auditor.ts';
import { DynamoDbDeadLetterStore } from '../../src/aws/dead-letters/dynamodb-dead-letter-store.ts';
import { DynamoDbParkingStore } from '../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { LambdaModelInvoker } from '../../src/aws/functions/lambda-model-invoker.ts';
import { DynamoDbCustomerLinks } from '../../src/aws/instances/dynamodb-customer-links.ts';
import { DynamoDbInstanceStore } from '../../src/aws/instances/dynamodb-instance-store.ts';
import { DynamoDbEventFinder } from '../../src/aws/lists/dynamodb-event-finder.ts';
import { DynamoDbInstanceLists } from '../../src/aws/lists/dynamodb-instance-lists.ts';
import { DynamoDbInstanceScanner } from '../../src/aws/lists/dynamodb-instance-scanner.ts';
import { DynamoDbModelRegistry } from '../../src/aws/registry/dynamodb-model-registry.ts';
import { DynamoDbRegistryWriter } from '../../src/aws/registry/dynamodb-registry-writer.ts';
import { customerLinkId } from '../../src/core/status/customer-link.ts';
import { foldUntil } from '../../src/model-runtime/audit/fold-until.ts';
import { readDeadlines } from '../../src/model-runtime/read-deadlines.ts';
import { transition } from '../../src/model-runtime/transition.ts';
import type { Database } from '../aws/tables.ts';
import { countersWithoutRebuild } from '../support/aws-in-memory/counters-in-memory.ts';
import { EventStreamInMemory } from '../support/aws-in-memory/event-stream-in-memory.ts';
import { InstallationInMemory } from '../support/aws-in-memory/installation-in-memory.ts';
import { InstancesInMemory } from '../support/aws-in-memory/instances-in-memory.ts';
import { MemoryLambda } from '../support/aws-in-memory/memory-lambda.ts';
import { ModelRegistryInMemory } from '../support/aws-in-memory/model-registry-in-memory.ts';
import { NotifierInMemory } from '../support/aws-in-memory/notifier-in-memory.ts';
import {
  customerLinksInMemory,
  deadLettersInMemory,
  observationStoreInMemory,
} from '../support/aws-in-memory/stores-in-memory.ts';
import { placed } from '../support/data/events.ts';
import { letterIdAt } from '../support/data/letter-id.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { counter } from '../support/models/counter-model.ts';
import { registryEntry } from '../support/models/registry-entry.ts';
import { registryRequest } from '../support/models/registry-request.ts';
import { must } from './accounts.ts';
import type { Known } from './any-call.ts';

/** The API with stores that contain a few instances and dead letters. */
export class ApiWorld {
  readonly stream = new EventStreamInMemory();
  readonly errors: unknown[] = [];
  readonly app: Hono;
  readonly #stores: Stores;
  readonly #clock = new ManualClock();

  constructor(stores: Stores) {
    this.#stores = stores;
    const logError = (error: unknown) => this.errors.push(error);
    this.app = createApi({
      ...stores,
      ...countersWithoutRebuild(new InstancesInMemory(this.#clock), this.#clock),
      describer: new LambdaModelInvoker(new MemoryLambda()),
      auditor: {
        audit,
        deadlines: async (_, request) => {
          const environment = { model: counter, store: stores.instances };
          return { kind: 'answered', answer: await readDeadlines(environment, request) };
        },
        foldUntil: async (_, request) => {
          const environment = { model: counter, store: stores.instances, clock: this.#clock };
          return { kind: 'answered', answer: await foldUntil(environment, request) };
        },
      },
      observations: observationStoreInMemory(),
      stream: this.stream,
      ownStream: this.stream,
      clock: this.#clock,
      installation: new InstallationInMemory(
        this.#clock,
        new InstancesInMemory(this.#clock).client,
      ),
      corsOrigins: [],
      rolesOf: () => undefined,
      linkKey: () => Promise.resolve('key'),
      logError,
    });
  }

  /** Creates the instances, dead letters, and links. */
  async fill(): Promise<void> {
    const { instances } = this.#stores;
    const environment = {
      model: counter,
      store: instances,
      stream: this.stream,
      notifier: new NotifierInMemory(),
      clock: this.#clock,
    };
    for (const place of [1, 2, 3])
      await transition(
        environment,
        transactions.map((transaction) => placed(place, { id: `e${place}`, transaction })),
      );
    await this.refill();
  }

  /** Restores the resources that calls may have deleted. */
  async refill(): Promise<void> {
    const { parking, deadLetters, links } = this.#stores;
    await deadLetters.put(letters);
    for (const id of linkIds)
      await links.add({ model: 'counter', transaction: 'T1' }, { id, ...linkTimes });
    const { event, position } = placed(9, { id: 'parked', transaction: transactions[1]! });
    const at = '2026-01-01T00:00:00.000Z';
    const why = { reason: 'told to', fault: true, at, letterId: letters[0]!.id };
    await parking.park([{ event, position, ...why }]);
    await parking.recount(event);
  }

  /** Returns the existing resources that a generated call can refer to, with cursors that the API returns. */
  async known(): Promise<Known> {
    const cursors: string[] = [];
    for (const list of [
      'instances',
      'dead-letters',
      'instances/counter/T1/history',
      'instances/counter/T1/links',
    ]) {
      const response = await this.app.request(`/api/${list}?limit=1`);
      const { cursor } = (await response.json()) as { cursor?: string };
      must(cursor !== undefined, () => `${list} has no cursor: ${response.status}`);
      cursors.push(cursor);
    }
    return { cursors, transactions, letters: letters.map(({ id }) => id), links: linkIds };
  }
}

type Stores = Pick<
  ApiDependencies,
  'instances' | 'parking' | 'lists' | 'scanner' | 'events' | 'models' | 'versions' | 'deadLetters'
> & { readonly links: CustomerLinks };

/** An audit that finds no differences. */
const audit: ModelAuditor['audit'] = (_, { transactions }) =>
  Promise.resolve({
    kind: 'answered',
    answer: {
      audits: transactions.map((transaction) => ({
        ...{ transaction, version: 1, row: 'right', replayed: null },
        ...{ isAsFolded: true, skipped: false, error: null },
      })),
    },
  });

const transactions = ['T1', 'T2', 'a/b', '__proto__', 'x/history', '😀 %2F', 'é'.repeat(256)];
const linkIds = [1, 2].map((n) => customerLinkId(Date.UTC(2026, 0, 1), `${n}`.repeat(16)));
const linkTimes = { createdAt: '2026-01-01T00:00:00.000Z', expiresAt: '2999-01-01T00:00:00.000Z' };
const letters = Array.from({ length: 6 }, (_, index) => ({
  id: letterIdAt(index, Date.UTC(2026, 0, 1) + index),
  reason: 'not JSON',
  at: '2026-01-01T00:00:00.000Z',
  modelId: index === 0 ? 'counter' : null,
  transactionId: index === 0 ? transactions[1]! : null,
  eventId: null,
  partitionKey: 'key',
  // The first dead letter belongs to the parked event.
  parked: index === 0 ? placed(9).position : null,
  raw: Buffer.from(`nonsense ${index}`),
}));

export function memoryStores(): Stores {
  const clock = new ManualClock();
  const models = new ModelRegistryInMemory(registryEntry('counter'));
  const instances = new InstancesInMemory(clock);
  return {
    instances: instances.store,
    parking: instances.parking,
    lists: instances.lists(),
    scanner: instances.scanner,
    events: instances.events,
    models,
    versions: models,
    deadLetters: deadLettersInMemory(clock),
    links: customerLinksInMemory(clock),
  };
}

export async function databaseStores(database: Database): Promise<Stores> {
  const { dynamoDb } = database;
  const tables = await database.newTables();
  const models = new DynamoDbModelRegistry(dynamoDb, tables.registry);
  const writer = new DynamoDbRegistryWriter(dynamoDb, tables.registry);
  await writer.put(registryEntry('counter'), registryRequest());
  return {
    instances: new DynamoDbInstanceStore(dynamoDb, tables.instances),
    parking: new DynamoDbParkingStore(dynamoDb, tables.instances),
    lists: new DynamoDbInstanceLists(dynamoDb, tables.instances),
    scanner: new DynamoDbInstanceScanner(dynamoDb, tables.instances),
    events: new DynamoDbEventFinder(dynamoDb, tables.instances, new ManualClock()),
    models,
    versions: models,
    deadLetters: new DynamoDbDeadLetterStore(dynamoDb, tables.deadLetters, new ManualClock()),
    links: new DynamoDbCustomerLinks(dynamoDb, tables.links, new ManualClock()),
  };
}
