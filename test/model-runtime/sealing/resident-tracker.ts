import * as v from 'valibot';
import { createApi } from '../../../src/api/app.ts';
import type { ForgetInvocation } from '../../../src/api/stores/history-forgetter.ts';
import { decompress } from '../../../src/aws/dynamodb/compress.ts';
import { LambdaModelInvoker } from '../../../src/aws/functions/lambda-model-invoker.ts';
import { userRecords } from '../../../src/aws/stream/user-records.ts';
import { emit } from '../../../src/core/effects/effect.ts';
import { defineModel } from '../../../src/core/model/define-model.ts';
import { accept, type Model } from '../../../src/core/model/model.ts';
import { dispatch } from '../../../src/dispatcher/dispatch.ts';
import { FailureTracker } from '../../../src/dispatcher/failures/failure-tracker.ts';
import type { TransitionInvocation } from '../../../src/dispatcher/model-invoker.ts';
import { RegistryCache } from '../../../src/dispatcher/registry-cache.ts';
import { handleModelRequest } from '../../../src/model-runtime/model-handler.ts';
import type {
  ForgetAnswer,
  ForgetRequest,
  ModelAnswer,
  ModelRequest,
} from '../../../src/model-runtime/protocol.ts';
import type { ModelFunction } from '../../../src/model-runtime/remote/model-function.ts';
import { SealingStore } from '../../../src/model-runtime/sealing/sealing-store.ts';
import type { StreamRecord } from '../../../src/stream/stream-record.ts';
import { countersWithoutRebuild } from '../../support/aws-in-memory/counters-in-memory.ts';
import { EventStreamInMemory } from '../../support/aws-in-memory/event-stream-in-memory.ts';
import { InstallationInMemory } from '../../support/aws-in-memory/installation-in-memory.ts';
import {
  InstancesInMemory,
  instancesTable,
} from '../../support/aws-in-memory/instances-in-memory.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { MemoryKms } from '../../support/aws-in-memory/memory-kms.ts';
import { MemoryLambda } from '../../support/aws-in-memory/memory-lambda.ts';
import { ModelRegistryInMemory } from '../../support/aws-in-memory/model-registry-in-memory.ts';
import { NotifierInMemory } from '../../support/aws-in-memory/notifier-in-memory.ts';
import {
  customerLinksInMemory,
  dataKeysInMemory,
  deadLettersInMemory,
  observationStoreInMemory,
} from '../../support/aws-in-memory/stores-in-memory.ts';
import { macsOf, signed } from '../../support/data/event-macs.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';

/** A model of a person who moves from city to city. The state contains the earlier names and cities. */
export const resident = defineModel({
  id: 'resident',
  title: 'A resident',
  statuses: ['Known'],
  events: {
    moved: v.object({ name: v.nullable(v.string()), city: v.string() }),
    broken: v.object({ name: v.string() }),
  },
  sensitive: { state: ['name', 'before.*.name'], events: { moved: ['name'], broken: ['name'] } },
  initial: () => ({ name: null as string | null, city: '', before: [] as object[] }),
  transition(event, { name, city, before }) {
    if (event.type === 'broken') throw new Error(`no idea of ${event.data.name}`);
    const told = emit({
      model: 'offers',
      transaction: 'o',
      type: 'told',
      data: { who: event.data.name },
    });
    return accept({ ...event.data, before: [...before, { name, city }] }, told);
  },
  describe: () => ({ status: 'Known' }),
}) as unknown as Model;

const { sensitive: _, ...unmarked } = resident;

/** The same model without sensitive fields. */
export const unmarkedResident: Model = unmarked;

/** How long a process uses a data key before it reads the key again, in milliseconds. */
export const keyCacheTtl = 60_001;

/** The names that the tests' events contain. */
export const names = ['Wilma', 'Fred', 'Betty'];

export const moved = (name: string | null, city: string) => ({
  type: 'moved',
  data: { name, city },
});

/** The path of the instance in the API. */
export const path = '/api/instances/resident/R1';

/** The API's representation of the instance. */
export interface Shown {
  readonly state: unknown;
  readonly parked: number;
}

/** The API's representation of the instance's history. */
export interface History {
  readonly entries: readonly {
    readonly event: { readonly data: unknown };
    readonly state: unknown;
  }[];
}

/** A tracker with the model `resident`, whose stores keep their data in memory. */
export class ResidentTracker {
  readonly clock = new ManualClock();
  readonly instances = new InstancesInMemory(this.clock);
  readonly lettersDatabase = new MemoryDynamoDb({ letters: {} });
  readonly deadLetters = deadLettersInMemory(this.clock, this.lettersDatabase);
  readonly stream = new EventStreamInMemory();
  readonly kms = new MemoryKms();
  readonly keys = dataKeysInMemory(this.clock, this.kms);
  readonly links = customerLinksInMemory(this.clock);
  readonly said: unknown[] = [];
  readonly models = new ModelRegistryInMemory(registryEntry('resident', { sensitive: true }));
  model: Model | ModelFunction = resident;
  /** When the model's function runs out of time, in milliseconds since 1970. */
  until = Number.POSITIVE_INFINITY;
  /** If set, replaces the response from the model's function to a forget request. */
  forgetFails: ForgetInvocation | undefined;
  #records = 0;

  readonly api = createApi({
    instances: new SealingStore(this.instances.store, this.keys),
    dataKeys: this.keys,
    parking: this.instances.parking,
    lists: this.instances.lists(),
    ...countersWithoutRebuild(this.instances, this.clock),
    scanner: this.instances.scanner,
    events: this.instances.events,
    auditor: {
      audit: () => Promise.reject(new Error('not here')),
      foldUntil: () => Promise.reject(new Error('not here')),
      deadlines: () => Promise.reject(new Error('not here')),
    },
    forgetter: { forget: (_, request) => this.#forget(request) },
    models: this.models,
    versions: this.models,
    describer: new LambdaModelInvoker(new MemoryLambda()),
    deadLetters: this.deadLetters,
    observations: observationStoreInMemory(),
    stream: this.stream,
    ownStream: this.stream,
    clock: this.clock,
    installation: new InstallationInMemory(this.clock, this.instances.client),
    corsOrigins: [],
    rolesOf: () => undefined,
    linkKey: () => Promise.resolve('key'),
    links: this.links,
    logError: (error) => this.said.push(String(error)),
  });

  /** Dispatches events. Returns the number of records that the stream must redeliver. */
  async put(
    ...events: { type: string; data: object; replyto?: string; source?: string; subject?: string }[]
  ): Promise<number> {
    const records = events.map((event) => this.#record(event));
    const say = (...words: unknown[]) => this.said.push(JSON.stringify(words));
    const handedBack = await dispatch(
      {
        deaggregate: userRecords,
        registry: new RegistryCache(this.models, this.clock),
        deadLetters: this.deadLetters,
        parking: this.instances.parking,
        models: { transition: (_, request) => this.#invoke(request) },
        stream: this.stream,
        retry: { attempts: 1, backoff: 1 },
        failureTracker: new FailureTracker(),
        clock: this.clock,
        dataKeys: this.keys,
        macs: macsOf(),
        log: {
          deadLetters: (letters) => say(letters.map(({ reason }) => reason)),
          parked: (parked) => say(parked.map(({ reason }) => reason)),
          failures: (failures) => say(failures.map(({ reason }) => reason)),
        },
      },
      records,
    );
    return handedBack.length;
  }

  /** The complete contents of storage, as text. */
  get stored(): string {
    const letters = this.lettersDatabase.items('letters');
    const raws = letters.map(({ raw }) => Buffer.from(raw!.B!).toString());
    const { histories, database } = this.instances;
    const items = database.items(instancesTable);
    const parked = items.flatMap(({ event }) => (event?.B ? decompress(event.B) : []));
    return JSON.stringify([[...histories], items, parked, letters, raws]);
  }

  async get<Body>(path: string): Promise<Body> {
    return (await (await this.api.request(path)).json()) as Body;
  }

  requestForget(query = '') {
    return this.api.request(`${path}/forget${query}`, { method: 'POST' });
  }

  /** Erases the instance's personal data. Returns the status of the response. */
  async forget(): Promise<number> {
    return (await this.requestForget()).status;
  }

  /** The text before the JSON of each record, such as a byte order mark. */
  start = '';

  #record(given: { type: string; data: object; source?: string }): StreamRecord {
    const n = this.#records++;
    const position = { shard: 's', sequence: String(n) };
    const event = {
      id: `e${n}`,
      source: 't',
      modelid: 'resident',
      transactionid: 'R1',
      ...given,
    };
    return {
      recordId: `s:${n}`,
      position,
      partitionKey: 'R1',
      arrivedAt: this.clock.now(),
      data: Buffer.concat([Buffer.from(this.start), signed(event)]),
    };
  }

  async #invoke(request: ModelRequest): Promise<TransitionInvocation> {
    const answer = (await this.#answer(request)) as ModelAnswer;
    return { kind: 'answered', answer };
  }

  async #forget(request: ForgetRequest): Promise<ForgetInvocation> {
    if (this.forgetFails) return this.forgetFails;
    const answer = (await this.#answer(request)) as ForgetAnswer;
    return { kind: 'answered', answer };
  }

  #answer(request: ModelRequest) {
    const environment = {
      model: this.model,
      store: new SealingStore(this.instances.store, this.keys, this.model),
      dataKeys: this.keys,
      history: this.instances.rewriter,
      rows: this.instances.rows,
      stream: this.stream,
      notifier: new NotifierInMemory(),
      clock: this.clock,
    };
    return handleModelRequest(environment, request, { until: this.until });
  }
}
