import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { createApi } from '../../../src/api/app.ts';
import type { ForgetInvocation } from '../../../src/api/stores/history-forgetter.ts';
import { ServiceError } from '../../../src/aws/client/transport/service-error.ts';
import { decompress } from '../../../src/aws/dynamodb/compress.ts';
import { LambdaModelInvoker } from '../../../src/aws/functions/lambda-model-invoker.ts';
import { userRecords } from '../../../src/aws/stream/user-records.ts';
import { emit } from '../../../src/core/effects/effect.ts';
import { defineModel } from '../../../src/core/model/define-model.ts';
import { accept, type Model, reject } from '../../../src/core/model/model.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';
import { dispatch } from '../../../src/dispatcher/dispatch.ts';
import { RefusalTimes } from '../../../src/dispatcher/failures/refusal-times.ts';
import type { TransitionInvocation } from '../../../src/dispatcher/model-invoker.ts';
import { RegistryCache } from '../../../src/dispatcher/registry-cache.ts';
import { handleModelRequest } from '../../../src/model-runtime/model-handler.ts';
import type {
  ForgetAnswer,
  ForgetRequest,
  ModelAnswer,
  ModelRequest,
} from '../../../src/model-runtime/protocol.ts';
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
  allDeadLetters,
  customerLinksInMemory,
  dataKeysInMemory,
  deadLettersInMemory,
  observationStoreInMemory,
} from '../../support/aws-in-memory/stores-in-memory.ts';
import { macsOf, signed } from '../../support/data/event-macs.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';

/** A model of a person who moves from city to city. The state contains the earlier names and cities. */
const resident = defineModel({
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

/** The same model without sensitive fields. */
const { sensitive: _, ...unmarked } = resident;

/** The time after which a process reads a data key again, in milliseconds. */
const keyCacheTtl = 60_001;

const names = ['Wilma', 'Fred', 'Betty'];

class Place {
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
  model = resident;
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
    ...events: { type: string; data: object; replyto?: string; source?: string }[]
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
        refusals: new RefusalTimes(),
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

let place: Place;
beforeEach(() => {
  place = new Place();
});

const moved = (name: string | null, city: string) => ({ type: 'moved', data: { name, city } });
const path = '/api/instances/resident/R1';
interface Shown {
  readonly state: unknown;
  readonly parked: number;
}
interface History {
  readonly entries: readonly {
    readonly event: { readonly data: unknown };
    readonly state: unknown;
  }[];
}
interface Forgotten {
  readonly forgotten: boolean;
  readonly rewritten: number | null;
  readonly parked: number;
  readonly cursor?: string;
}
const requestForget = (query = '') =>
  place.api.request(`${path}/forget${query}`, { method: 'POST' });
const forget = async () => (await requestForget()).status;
const forgetting = async (query = '') => (await (await requestForget(query)).json()) as Forgotten;

describe('sensitive fields', () => {
  it('are never stored in plain text but are readable for the model and for authorized callers', async () => {
    expect(await place.put(moved('Wilma', 'Rome'), moved('Fred', 'Oslo'))).toBe(0);
    expect(await place.put(moved('Betty', 'Bonn'))).toBe(0);
    for (const name of names) expect(place.stored).not.toContain(name);
    expect(place.stored).toContain('Oslo');
    expect((await place.get<Shown>(path)).state).toEqual({
      name: 'Betty',
      city: 'Bonn',
      before: [
        { name: null, city: '' },
        { name: 'Wilma', city: 'Rome' },
        { name: 'Fred', city: 'Oslo' },
      ],
    });
    const { entries } = await place.get<History>(`${path}/history`);
    expect(entries.map(({ event }) => event.data)).toEqual([
      { name: 'Wilma', city: 'Rome' },
      { name: 'Fred', city: 'Oslo' },
      { name: 'Betty', city: 'Bonn' },
    ]);
    const sent = place.stream.events as { data: unknown }[];
    expect(sent.map(({ data }) => data)).toEqual(names.map((who) => ({ who })));
  });

  it('are unsealed for migrate and then sealed again, and are null after they are erased', async () => {
    await place.put(moved('Wilma', 'Rome'));
    const seen: unknown[] = [];
    place.model = {
      ...resident,
      version: 2,
      sensitive: { ...resident.sensitive, state: ['title', 'name', 'before.*.name'] },
      migrate(state) {
        const { name } = state as { name: string | null };
        seen.push(name);
        return { ...(state as object), title: `The honourable ${name}` };
      },
    };
    await place.put({ type: 'moved', data: { city: 'no name' } });
    const { modelVersion, state } = await place.get<Shown & { modelVersion: number }>(path);
    expect({ modelVersion, state }).toMatchObject({
      modelVersion: 2,
      state: { title: 'The honourable Wilma', name: 'Wilma' },
    });
    expect(place.stored).not.toContain('Wilma');
    await forget();
    place.model = { ...place.model, version: 3 };
    await place.put({ type: 'moved', data: { city: 'no name' } });
    expect(seen).toEqual(['Wilma', null]);
  });

  it('are shown in past states and explanations until they are erased', async () => {
    await place.put(moved('Wilma', 'Rome'));
    await place.put(moved('Fred', 'Rome'));
    const at = toIso(place.clock.now());
    const past = async (query: string) => (await place.get<Shown>(`${path}?${query}`)).state;
    expect(await past('version=1')).toMatchObject({ name: 'Wilma' });
    expect(await past(`at=${at}`)).toMatchObject({ name: 'Fred' });
    const name = async () =>
      (await place.get<{ fields: unknown[] }>(`${path}/explain?field=/name`)).fields;
    expect(await name()).toMatchObject([{ value: 'Fred', setBy: { version: 2 } }]);
    await forget();
    expect(await past(`at=${at}`)).toMatchObject({ name: null, city: 'Rome' });
    // Both names are now null, so version 2 no longer changes the field.
    expect(await name()).toMatchObject([{ value: null, setBy: { version: 1 } }]);
  });

  it('are neither logged nor stored in plain text with parked events, dead letters or reasons', async () => {
    await place.put(moved('Wilma', 'Rome'), { type: 'broken', data: { name: 'Fred' } });
    await place.put(moved('Betty', 'Bonn'), { type: 'moved', data: { name: 5, city: 'Bonn' } });
    expect(await place.get<Shown>(path)).toMatchObject({ parked: 3 });
    for (const name of names) {
      expect(place.stored).not.toContain(name);
      expect(JSON.stringify(place.said)).not.toContain(name);
    }
    const { deadLetters } = await place.get<{ deadLetters: { raw: string; reason: string }[] }>(
      '/api/dead-letters',
    );
    const raws = deadLetters.map(({ raw }) => Buffer.from(raw, 'base64').toString());
    expect(raws.join('')).toContain('Fred');
    expect(deadLetters.map(({ reason }) => reason).join('')).toContain(
      'failed on broken e1: Error',
    );

    // After the model is fixed, the parked events are applied with their original data.
    place.model = { ...resident, transition: (_, state) => accept(state) };
    await place.put({ type: 'milepost.redrive', source: 'milepost:api', data: {} });
    const { entries } = await place.get<History>(`${path}/history`);
    expect(entries.map(({ event }) => event.data)).toContainEqual({ name: 'Fred' });
  });

  it('are sealed in a parked event whose record begins with a byte order mark', async () => {
    place.start = '\ufeff';
    expect(await place.put({ type: 'broken', data: { name: 'Fred' } })).toBe(0);
    expect(await place.get<Shown>(path)).toMatchObject({ parked: 1 });
    expect(place.stored).not.toContain('Fred');
    const { deadLetters } = await place.get<{ deadLetters: { raw: string }[] }>(
      '/api/dead-letters',
    );
    expect(deadLetters.map(({ raw }) => Buffer.from(raw, 'base64').toString())).toEqual([
      expect.stringContaining('Fred'),
    ]);
  });

  it('are not unsealed in the dead letter of an instance without a data key, even if a value looks sealed', async () => {
    place.models.register(registryEntry('resident'));
    place.model = { ...resident, sensitive: undefined };
    place.start = '\ufeff';
    const data = { name: 'Fred', like: { $sealed: 'no' } };
    expect(await place.put({ type: 'broken', data })).toBe(0);
    const [stored] = await allDeadLetters(place.deadLetters);
    const { deadLetters } = await place.get<{ deadLetters: { raw: string }[] }>(
      '/api/dead-letters',
    );
    expect(deadLetters.map(({ raw }) => raw)).toEqual([
      Buffer.from(stored!.raw).toString('base64'),
    ]);
  });

  it('remain sealed in a list of dead letters if KMS rejects the data key as damaged', async () => {
    await place.put({ type: 'broken', data: { name: 'Fred' } }, { type: 'other', data: {} });
    await place.clock.advance(keyCacheTtl);
    place.kms.interfere = () => {
      throw new ServiceError('InvalidCiphertextException', 'damaged', 400);
    };
    const { deadLetters } = await place.get<{ deadLetters: { raw: string }[] }>(
      '/api/dead-letters',
    );
    expect(deadLetters.map(({ raw }) => Buffer.from(raw, 'base64').toString())).toEqual(
      Array(2).fill(expect.stringContaining('"data":{"$sealed":')),
    );
  });

  it('are permanently null after they are erased, and other data remains', async () => {
    await place.put(moved('Wilma', 'Rome'), moved('Fred', 'Oslo'));
    expect(await forget()).toBe(200);
    expect(await forget()).toBe(200);
    await place.put(moved('Betty', 'Bonn'));
    expect((await place.get<Shown>(path)).state).toEqual({
      name: null,
      city: 'Bonn',
      before: [
        { name: null, city: '' },
        { name: null, city: 'Rome' },
        { name: null, city: 'Oslo' },
      ],
    });
    const { entries } = await place.get<History>(`${path}/history`);
    expect(entries.map(({ event }) => event.data)).toEqual([
      { name: null, city: 'Rome' },
      { name: null, city: 'Oslo' },
      { name: null, city: 'Bonn' },
    ]);
    expect(place.stored).not.toContain('Betty');
  });

  describe('of rejected events', () => {
    /** Rejected events with personal data outside the sensitive paths of the model, and the cause of each rejection. */
    const rejected: [why: string, event: { type: string; data: object }][] = [
      ['data that the schema rejects', moved('Wilma', 5 as never)],
      ['a misspelled field', { type: 'moved', data: { nmae: 'Fred', city: null } }],
      ['an undeclared type', { type: 'renamed', data: { to: ['Betty'] } }],
      ['data that is not an object', { type: 'moved', data: ['Wilma'] }],
      ['an event that the model rejects', moved('Fred', 'Nowhere')],
    ];

    it.each(rejected)('are never stored in plain text: %s', async (_, { type, data }) => {
      place.model = {
        ...resident,
        transition: (event, state, context) =>
          (event.data as { city: string }).city === 'Nowhere'
            ? reject('there is no such city')
            : resident.transition(event, state, context),
      };
      await place.put({ type, data });
      for (const name of names) expect(place.stored).not.toContain(name);
      const { entries } = await place.get<History>(`${path}/history`);
      expect(entries).toMatchObject([{ outcome: 'rejected', event: { data } }]);
      await forget();
      const { entries: after } = await place.get<History>(`${path}/history`);
      expect(after).toMatchObject([{ outcome: 'rejected', event: { data: null } }]);
    });

    it('are not in the reply to the instance in replyto', async () => {
      await place.put({ type: 'renamed', data: { to: 'Betty' }, replyto: 'desk/D1' });
      expect(place.stream.events).toMatchObject([{ type: 'outcome.recorded' }]);
      expect(JSON.stringify(place.stream.events)).not.toContain('Betty');
    });
  });

  it('are not in the reason if a schema rejects them', async () => {
    await place.put({ type: 'moved', data: { name: 'Fred', city: { name: 'Wilma' } } });
    const { entries } = await place.get<{ entries: { reason: string }[] }>(`${path}/history`);
    expect(entries.map(({ reason }) => reason)).toEqual(['data: city is not valid']);
  });

  it('are not in the reason if they are keys in the data', async () => {
    place.model = {
      ...resident,
      events: {
        ...resident.events,
        moved: v.strictObject({ by: v.record(v.string(), v.number()) }),
      },
    };
    await place.put({ type: 'moved', data: { by: { Fred: 'x' }, Wilma: 1 } });
    const { entries } = await place.get<{ entries: { reason: string }[] }>(`${path}/history`);
    expect(entries.map(({ reason }) => reason)).toEqual([
      'data: by is not valid; the value is not valid',
    ]);
  });

  it('cause their events to be returned to the stream while the data keys are unavailable', async () => {
    place.kms.interfere = () => {
      throw new Error('KMS is not there');
    };
    expect(await place.put(moved('Wilma', 'Rome'))).toBe(1);
    expect(await place.put({ type: 'broken', data: { name: 'Wilma' } })).toBe(1);
    expect(place.stored).not.toContain('Wilma');
    place.kms.interfere = () => {};
    expect(await place.put(moved('Wilma', 'Rome'))).toBe(0);
  });
});

describe('a history that is older than the declaration of sensitive fields', () => {
  /** Applies events with a version of the model that declares no sensitive fields. */
  const putUnmarked = async (...events: Parameters<typeof place.put>) => {
    place.model = unmarked;
    place.models.register(registryEntry('resident'));
    await place.put(...events);
    place.model = resident;
    place.models.register(registryEntry('resident', { sensitive: true }));
  };

  it('loses its sensitive fields when they are erased, and keeps all other data', async () => {
    await putUnmarked(moved('Wilma', 'Rome'), { type: 'renamed', data: { to: 'Fred' } });
    await place.put(moved('Betty', 'Bonn'));
    expect(place.stored).toContain('Wilma');
    const [before] = await place.instances.store.readConsistent([
      { model: 'resident', transaction: 'R1' },
    ]);
    expect(await forgetting()).toEqual({
      forgotten: true,
      rewritten: 1,
      parked: 0,
      revokedLinks: 0,
    });
    for (const name of names) expect(place.stored).not.toContain(name);

    const { entries } = await place.get<History>(`${path}/history`);
    expect(entries).toMatchObject([
      { outcome: 'applied', event: { id: 'e0', data: { name: null, city: 'Rome' } } },
      { outcome: 'rejected', event: { id: 'e1', data: null } },
      { outcome: 'applied', event: { id: 'e2', data: { name: null, city: 'Bonn' } } },
    ]);
    expect((await place.get<Shown>(path)).state).toMatchObject({
      city: 'Bonn',
      before: [{ name: null }, { name: null, city: 'Rome' }],
    });
    const [after] = await place.instances.store.readConsistent([
      { model: 'resident', transaction: 'R1' },
    ]);
    expect(after).toEqual(before);
    expect(await forgetting()).toMatchObject({ rewritten: 0 });
  });

  it('after its personal data is erased, equals an erased history that was sealed from the start, except for reasons', async () => {
    const events = [
      moved('Wilma', 'Rome'),
      { type: 'renamed', data: { to: 'Fred' } },
      moved(null, 'Oslo'),
      { type: 'moved', data: { name: 'Betty' } },
    ];
    const read = async () => {
      await forget();
      const { entries } = await place.get<{ entries: object[] }>(`${path}/history`);
      const unworded = entries.map((entry) => ({ ...entry, reason: undefined }));
      return [unworded, (await place.get<Shown>(path)).state];
    };
    await putUnmarked(...events);
    const unsealed = await read();
    place = new Place();
    await place.put(...events);
    expect(unsealed).toEqual(await read());
  });

  it('loses reasons that quote rejected data', async () => {
    await putUnmarked({ type: 'moved', data: { name: 'Fred', city: ['Wilma'] } });
    await putUnmarked({ type: 'moved', data: { city: 'Rome', name: { Wilma: 'Betty' } } });
    expect(await forgetting()).toMatchObject({ rewritten: 2 });
    const { entries } = await place.get<{ entries: { reason: string }[] }>(`${path}/history`);
    expect(entries.map(({ reason }) => reason)).toEqual([
      'data: the value is not valid',
      'data: the value is not valid',
    ]);
  });

  it('is not continued from erased data, even if a process has the data in memory', async () => {
    await putUnmarked(moved('Wilma', 'Rome'));
    // The store's cache still contains the head that the store wrote.
    await forget();
    const seen: unknown[] = [];
    place.model = {
      ...resident,
      transition(_, state) {
        seen.push((state as { name: unknown }).name);
        return accept(state);
      },
    };
    await place.put(moved('Fred', 'Oslo'));
    expect(seen).toEqual([null]);
  });

  it('is rewritten in several requests if it is long', async () => {
    // One request reads 25 commits.
    for (let index = 0; index < 60; index++) await putUnmarked(moved('Wilma', `${index}`));
    place.until = 0;
    const first = await forgetting();
    expect(first).toMatchObject({ rewritten: 25, cursor: expect.any(String) });
    const second = await forgetting(`?cursor=${first.cursor}`);
    expect(second).toMatchObject({ rewritten: 25, cursor: expect.any(String) });
    const third = await forgetting(`?cursor=${second.cursor}`);
    expect(third).toEqual({ forgotten: true, rewritten: 10, parked: 0, revokedLinks: 0 });
    expect(place.stored).not.toContain('Wilma');
    expect((await requestForget('?cursor=nonsense')).status).toBe(400);
  });

  it('keeps its parked events in plain text until they are redriven, and the response contains their number', async () => {
    await putUnmarked({ type: 'broken', data: { name: 'Fred' } }, moved('Wilma', 'Rome'));
    await place.put(moved('Betty', 'Bonn'));
    expect(await forgetting()).toEqual({
      forgotten: true,
      rewritten: 0,
      parked: 2,
      revokedLinks: 0,
    });
    expect(place.stored).toContain('Fred');
    // A redrive stores the events without their personal data, because the data key is destroyed.
    place.model = { ...resident, transition: (_, state) => accept(state) };
    await place.put({ type: 'milepost.redrive', source: 'milepost:api', data: {} });
    expect(await forgetting()).toMatchObject({ parked: 0 });
    for (const name of names) expect(place.stored).not.toContain(name);
  });

  it.each([
    ['is unavailable', { kind: 'unavailable', reason: 'throttled' } as const, 503],
    ['fails', { kind: 'failed', reason: 'it crashed' } as const, 409],
  ])(
    "is not reported as erased if its commits cannot be checked because the model's function %s",
    async (_, failure, status) => {
      await place.put(moved('Wilma', 'Rome'));
      place.forgetFails = failure;
      const response = await requestForget();
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({
        detail: expect.stringMatching(
          /^the data key is destroyed, but .*: (throttled|it crashed)$/,
        ),
      });
      expect((await place.get<Shown>(path)).state).toMatchObject({ name: null });
    },
  );

  it('is reported as erased without a check of its commits if its model is not registered', async () => {
    await place.put(moved('Wilma', 'Rome'));
    place.models.unregister('resident');
    expect(await forgetting()).toEqual({
      forgotten: true,
      rewritten: null,
      parked: 0,
      revokedLinks: 0,
    });
  });
});

describe('POST /api/instances/{model}/{transaction}/forget', () => {
  it("revokes the links to the instance's page", async () => {
    await place.put(moved('Wilma', 'Rome'));
    const body = JSON.stringify({ model: 'resident', transaction: 'R1' });
    await place.api.request('/api/links', { method: 'POST', body });
    const links = async () => (await place.get<{ links: object[] }>(`${path}/links`)).links.length;
    expect(await links()).toBe(1);
    const forgotten = await place.api.request(`${path}/forget`, { method: 'POST' });
    expect(await forgotten.json()).toMatchObject({ forgotten: true, revokedLinks: 1 });
    expect(await links()).toBe(0);
  });

  it('requires an existing instance of a model with sensitive fields', async () => {
    expect(await forget()).toBe(404);
    place.model = unmarked;
    place.models.register(registryEntry('resident'));
    await place.put(moved('Wilma', 'Rome'));
    expect(await forget()).toBe(409);
    expect((await place.get<Shown>(path)).state).toMatchObject({ name: 'Wilma' });
  });

  it('erases data that an earlier version of the model sealed, even if the model no longer has sensitive fields', async () => {
    await place.put(moved('Wilma', 'Rome'));
    place.model = unmarked;
    place.models.register(registryEntry('resident'));
    expect(await forgetting()).toMatchObject({ forgotten: true });
    await place.clock.advance(keyCacheTtl);
    expect((await place.get<Shown>(path)).state).toMatchObject({ name: null });
    expect(await forget()).toBe(200);
  });
});
