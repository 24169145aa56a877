import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { createApi } from '../../src/api/app.ts';
import { emit } from '../../src/core/effect.ts';
import { accept, defineModel, type Model } from '../../src/core/model.ts';
import { toIso } from '../../src/core/time.ts';
import { dispatch } from '../../src/service/dispatch.ts';
import { answerModelRequest } from '../../src/service/model-handler.ts';
import type { Invocation } from '../../src/service/ports.ts';
import type { ModelAnswer, ModelRequest } from '../../src/service/protocol.ts';
import { RegistryCache } from '../../src/service/registry-cache.ts';
import { SealedStore } from '../../src/service/sealing/sealed-store.ts';
import type { StreamRecord } from '../../src/service/stream-record.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryDataKeys } from '../support/memory-data-keys.ts';
import { MemoryDeadLetterStore } from '../support/memory-dead-letter-store.ts';
import { MemoryEventStream } from '../support/memory-event-stream.ts';
import { MemoryInstanceLists } from '../support/memory-instance-lists.ts';
import { MemoryInstanceStore } from '../support/memory-instance-store.ts';
import { MemoryInstanceWalk } from '../support/memory-instance-walk.ts';
import {
  MemoryDescriber,
  MemoryModelRegistry,
  registryEntry,
} from '../support/memory-model-registry.ts';
import { MemoryNotifier } from '../support/memory-notifier.ts';
import { MemoryObservationStore } from '../support/memory-observation-store.ts';
import { MemoryStatusRows } from '../support/memory-status-rows.ts';

/** Where somebody lives, and how often they moved. */
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

const names = ['Wilma', 'Fred', 'Betty'];

class Place {
  readonly clock = new ManualClock();
  readonly store = new MemoryInstanceStore();
  readonly deadLetters = new MemoryDeadLetterStore();
  readonly stream = new MemoryEventStream();
  readonly keys = new MemoryDataKeys();
  readonly said: unknown[] = [];
  readonly models = new MemoryModelRegistry(registryEntry('resident', { sensitive: true }));
  model = resident;
  #records = 0;

  readonly api = createApi({
    instances: new SealedStore(this.store, this.keys),
    dataKeys: this.keys,
    parking: this.store,
    lists: new MemoryInstanceLists(this.store),
    walk: new MemoryInstanceWalk(this.store),
    auditor: { audit: () => Promise.reject(new Error('not here')) },
    models: this.models,
    versions: this.models,
    describer: new MemoryDescriber(),
    deadLetters: this.deadLetters,
    observations: new MemoryObservationStore(),
    stream: this.stream,
    clock: this.clock,
    corsOrigins: [],
    rolesOf: () => undefined,
    linkKey: undefined,
    logError: (error) => this.said.push(String(error)),
  });

  /** Hands events to the dispatcher, and returns how many it hands back. */
  async put(...events: { type: string; data: object }[]): Promise<number> {
    const records = events.map(({ type, data }) => this.#record(type, data));
    const say = (...words: unknown[]) => this.said.push(JSON.stringify(words));
    const handedBack = await dispatch(
      {
        registry: new RegistryCache(this.models, this.clock),
        deadLetters: this.deadLetters,
        parking: this.store,
        models: { transition: (_, request) => this.#invoke(request) },
        stream: this.stream,
        retry: { attempts: 1, backoff: 1 },
        clock: this.clock,
        dataKeys: this.keys,
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

  /** Everything that is stored, as text. */
  get stored(): string {
    const letters = [...this.deadLetters.letters.values()];
    const raws = letters.map(({ raw }) => Buffer.from(raw).toString());
    const { commits, rows, parked } = this.store;
    return JSON.stringify([[...commits], [...rows], [...parked], letters, raws]);
  }

  async get<Body>(path: string): Promise<Body> {
    return (await (await this.api.request(path)).json()) as Body;
  }

  #record(type: string, data: object): StreamRecord {
    const n = this.#records++;
    const position = { shard: 's', sequence: String(n) };
    const event = {
      id: `e${n}`,
      source: 't',
      type,
      modelid: 'resident',
      transactionid: 'R1',
      data,
    };
    return {
      eventId: `s:${n}`,
      position,
      partitionKey: 'R1',
      arrivedAt: this.clock.now(),
      data: Buffer.from(JSON.stringify(event)),
    };
  }

  async #invoke(request: ModelRequest): Promise<Invocation> {
    const environment = {
      model: this.model,
      store: new SealedStore(this.store, this.keys, this.model),
      dataKeys: this.keys,
      rows: new MemoryStatusRows(this.store),
      stream: this.stream,
      notifier: new MemoryNotifier(),
      clock: this.clock,
    };
    const answer = (await answerModelRequest(environment, request)) as ModelAnswer;
    return { kind: 'answered', answer };
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
const forget = async () => (await place.api.request(`${path}/forget`, { method: 'POST' })).status;

describe('sensitive fields', () => {
  it('are nowhere in what is stored, and are there for the model and for who may read', async () => {
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

  it('are there for migrate, and sealed again; and null for it once they are forgotten', async () => {
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

  it('are there for who asks how it was, and what set them, until they are forgotten', async () => {
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
    // What it was is gone, and with it when it changed.
    expect(await name()).toMatchObject([{ value: null, setBy: { version: 1 } }]);
  });

  it('are not in what is parked, in its dead letter, in its reason or in a log', async () => {
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

    // Mended, it goes on with what was parked, as it came.
    place.model = { ...resident, transition: (_, state) => accept(state) };
    await place.put({ type: 'milepost.redrive', data: {} });
    const { entries } = await place.get<History>(`${path}/history`);
    expect(entries.map(({ event }) => event.data)).toContainEqual({ name: 'Fred' });
  });

  it('are gone for ever once they are forgotten, and the history stays', async () => {
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

  it('that a schema refuses are not in the reason', async () => {
    await place.put({ type: 'moved', data: { name: 'Fred', city: { name: 'Wilma' } } });
    const { entries } = await place.get<{ entries: { reason: string }[] }>(`${path}/history`);
    expect(entries.map(({ reason }) => reason)).toEqual([
      'data: city is not as the model takes it',
    ]);
  });

  it('have their events come again while the keys cannot be had', async () => {
    place.keys.failure = new Error('KMS is not there');
    expect(await place.put(moved('Wilma', 'Rome'))).toBe(1);
    expect(place.stored).not.toContain('Wilma');
    place.keys.failure = undefined;
    expect(await place.put(moved('Wilma', 'Rome'))).toBe(0);
  });
});

describe('POST /api/instances/{model}/{transaction}/forget', () => {
  it('is for an instance that is there, of a model with sensitive fields', async () => {
    expect(await forget()).toBe(404);
    await place.put(moved('Wilma', 'Rome'));
    place.models.entries.set('resident', registryEntry('resident'));
    expect(await forget()).toBe(409);
    expect((await place.get<Shown>(path)).state).toMatchObject({ name: 'Wilma' });
  });
});

it('a model that marks fields that it cannot have is refused', () => {
  const declared = { ...resident, sensitive: { events: { none: ['name'] } } };
  expect(() => defineModel(declared)).toThrow('it takes no event none');
  expect(() => defineModel({ ...resident, sensitive: { state: ['a..b'] } })).toThrow('no path');
});
