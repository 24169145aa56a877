import { beforeEach, describe, expect, it } from 'vitest';
import { accept, reject } from '../../../src/core/model/model.ts';
import { ModelFunction } from '../../../src/model-runtime/remote/model-function.ts';
import { ModelAsFunction } from '../../support/models/model-as-function.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import {
  type History,
  keyCacheTtl,
  moved,
  names,
  path,
  ResidentTracker,
  resident,
  type Shown,
  unmarkedResident,
} from './resident-tracker.ts';

let tracker: ResidentTracker;
beforeEach(() => {
  tracker = new ResidentTracker();
});

interface Forgotten {
  readonly forgotten: boolean;
  readonly rewritten: number | null;
  readonly parked: number;
  readonly cursor?: string;
}
const forgetting = async (query = '') =>
  (await (await tracker.requestForget(query)).json()) as Forgotten;

describe('a history that is older than the declaration of sensitive fields', () => {
  /** Applies events with a version of the model that declares no sensitive fields. */
  const putUnmarked = async (...events: Parameters<typeof tracker.put>) => {
    tracker.model = unmarkedResident;
    tracker.models.register(registryEntry('resident'));
    await tracker.put(...events);
    tracker.model = resident;
    tracker.models.register(registryEntry('resident', { sensitive: true }));
  };

  it('loses its sensitive fields when they are erased, and keeps all other data', async () => {
    await putUnmarked(moved('Wilma', 'Rome'), { type: 'renamed', data: { to: 'Fred' } });
    await tracker.put(moved('Betty', 'Bonn'));
    expect(tracker.stored).toContain('Wilma');
    const [before] = await tracker.instances.store.readConsistent([
      { model: 'resident', transaction: 'R1' },
    ]);
    expect(await forgetting()).toEqual({
      forgotten: true,
      rewritten: 1,
      parked: 0,
      revokedLinks: 0,
    });
    for (const name of names) expect(tracker.stored).not.toContain(name);

    const { entries } = await tracker.get<History>(`${path}/history`);
    expect(entries).toMatchObject([
      { outcome: 'applied', event: { id: 'e0', data: { name: null, city: 'Rome' } } },
      { outcome: 'rejected', event: { id: 'e1', data: null } },
      { outcome: 'applied', event: { id: 'e2', data: { name: null, city: 'Bonn' } } },
    ]);
    expect((await tracker.get<Shown>(path)).state).toMatchObject({
      city: 'Bonn',
      before: [{ name: null }, { name: null, city: 'Rome' }],
    });
    const [after] = await tracker.instances.store.readConsistent([
      { model: 'resident', transaction: 'R1' },
    ]);
    expect(after).toEqual(before);
    expect(await forgetting()).toMatchObject({ rewritten: 0 });
  });

  it('loses its sensitive fields even if the model is in another language', async () => {
    await putUnmarked(moved('Wilma', 'Rome'));
    const { clock } = tracker;
    const port = new ModelAsFunction(resident);
    tracker.model = new ModelFunction(port, { id: 'resident', canSeal: true, clock });
    expect(await forgetting()).toMatchObject({ rewritten: 1 });
    expect(tracker.stored).not.toContain('Wilma');
    expect(tracker.stored).toContain('Rome');
  });

  it('equals, once its personal data is erased, an erased history that was sealed from the start, except for reasons', async () => {
    const events = [
      moved('Wilma', 'Rome'),
      { type: 'renamed', data: { to: 'Fred' } },
      moved(null, 'Oslo'),
      { type: 'moved', data: { name: 'Betty' } },
    ];
    const read = async () => {
      await tracker.forget();
      const { entries } = await tracker.get<{ entries: object[] }>(`${path}/history`);
      const unworded = entries.map((entry) => ({ ...entry, reason: undefined }));
      return [unworded, (await tracker.get<Shown>(path)).state];
    };
    await putUnmarked(...events);
    const unsealed = await read();
    tracker = new ResidentTracker();
    await tracker.put(...events);
    expect(unsealed).toEqual(await read());
  });

  it('loses reasons that quote rejected data', async () => {
    await putUnmarked({ type: 'moved', data: { name: 'Fred', city: ['Wilma'] } });
    await putUnmarked({ type: 'moved', data: { city: 'Rome', name: { Wilma: 'Betty' } } });
    expect(await forgetting()).toMatchObject({ rewritten: 2 });
    const { entries } = await tracker.get<{ entries: { reason: string }[] }>(`${path}/history`);
    expect(entries.map(({ reason }) => reason)).toEqual([
      'data: the value is not valid',
      'data: the value is not valid',
    ]);
  });

  it('is not continued from erased data, even if a process has the data in memory', async () => {
    await putUnmarked(moved('Wilma', 'Rome'));
    // The store's cache still contains the head that the store wrote.
    await tracker.forget();
    const seen: unknown[] = [];
    tracker.model = {
      ...resident,
      transition(_, state) {
        seen.push((state as { name: unknown }).name);
        return accept(state);
      },
    };
    await tracker.put(moved('Fred', 'Oslo'));
    expect(seen).toEqual([null]);
  });

  it('is rewritten in several requests if it is long', async () => {
    // One request reads 25 commits.
    for (let index = 0; index < 60; index++) await putUnmarked(moved('Wilma', `${index}`));
    tracker.until = 0;
    const first = await forgetting();
    expect(first).toMatchObject({ rewritten: 25, cursor: expect.any(String) });
    // If another instance accepted this cursor, that instance would keep the personal data in its first commits.
    const ofOther = path.replace('R1', 'R2');
    const refused = await tracker.api.request(`${ofOther}/forget?cursor=${first.cursor}`, {
      method: 'POST',
    });
    expect(refused.status).toBe(400);
    const second = await forgetting(`?cursor=${first.cursor}`);
    expect(second).toMatchObject({ rewritten: 25, cursor: expect.any(String) });
    const third = await forgetting(`?cursor=${second.cursor}`);
    expect(third).toEqual({ forgotten: true, rewritten: 10, parked: 0, revokedLinks: 0 });
    expect(tracker.stored).not.toContain('Wilma');
    expect((await tracker.requestForget('?cursor=nonsense')).status).toBe(400);
  });

  it('keeps its parked events in plain text until they are redriven, and the response contains their number', async () => {
    await putUnmarked({ type: 'broken', data: { name: 'Fred' } }, moved('Wilma', 'Rome'));
    await tracker.put(moved('Betty', 'Bonn'));
    expect(await forgetting()).toEqual({
      forgotten: true,
      rewritten: 0,
      parked: 2,
      revokedLinks: 0,
    });
    expect(tracker.stored).toContain('Fred');
    // A redrive stores the events without their personal data, because the data key has been destroyed.
    tracker.model = { ...resident, transition: (_, state) => accept(state) };
    await tracker.put({ type: 'milepost.redrive', source: 'milepost:api', data: {} });
    expect(await forgetting()).toMatchObject({ parked: 0 });
    for (const name of names) expect(tracker.stored).not.toContain(name);
  });
});

describe('rebuilding an instance whose personal data has been erased', () => {
  /** A version of the model that rejects events without a name. */
  const strict = (model: typeof resident): typeof resident => ({
    ...model,
    transition: (event, ...rest) =>
      (event.data as { name: string | null }).name === null
        ? reject('nobody moved')
        : resident.transition(event, ...rest),
  });
  const rebuild = () =>
    tracker.put({ type: 'milepost.rebuild', source: 'milepost:api', data: { rowsOnly: false } });

  it('does not change the state if the search for plain text failed', async () => {
    tracker.model = strict(unmarkedResident);
    await tracker.put(moved('Wilma', 'Rome'));
    tracker.model = strict(resident);
    await tracker.put(moved('Fred', 'Oslo'));
    tracker.forgetFails = { kind: 'unavailable', reason: 'throttled' };
    expect(await tracker.forget()).toBe(503);
    await rebuild();
    expect((await tracker.get<Shown>(path)).state).toMatchObject({ city: 'Oslo' });
  });

  it('does not change the state if the model no longer has sensitive fields', async () => {
    tracker.model = strict(resident);
    await tracker.put(moved('Wilma', 'Rome'));
    expect(await tracker.forget()).toBe(200);
    tracker.model = strict(unmarkedResident);
    await rebuild();
    expect((await tracker.get<Shown>(path)).state).toMatchObject({ city: 'Rome' });
  });
});

describe('POST /api/instances/{model}/{transaction}/forget', () => {
  it("revokes the links to the instance's page", async () => {
    await tracker.put(moved('Wilma', 'Rome'));
    const body = JSON.stringify({ model: 'resident', transaction: 'R1' });
    await tracker.api.request('/api/links', { method: 'POST', body });
    const links = async () =>
      (await tracker.get<{ links: object[] }>(`${path}/links`)).links.length;
    expect(await links()).toBe(1);
    const forgotten = await tracker.api.request(`${path}/forget`, { method: 'POST' });
    expect(await forgotten.json()).toMatchObject({ forgotten: true, revokedLinks: 1 });
    expect(await links()).toBe(0);
  });

  it('requires an existing instance of a model with sensitive fields', async () => {
    expect(await tracker.forget()).toBe(404);
    tracker.model = unmarkedResident;
    tracker.models.register(registryEntry('resident'));
    await tracker.put(moved('Wilma', 'Rome'));
    expect(await tracker.forget()).toBe(409);
    expect((await tracker.get<Shown>(path)).state).toMatchObject({ name: 'Wilma' });
  });

  it('erases data that an earlier version of the model sealed, even if the model no longer has sensitive fields', async () => {
    await tracker.put(moved('Wilma', 'Rome'));
    tracker.model = unmarkedResident;
    tracker.models.register(registryEntry('resident'));
    expect(await forgetting()).toMatchObject({ forgotten: true });
    await tracker.clock.advance(keyCacheTtl);
    expect((await tracker.get<Shown>(path)).state).toMatchObject({ name: null });
    expect(await tracker.forget()).toBe(200);
  });

  it.each([
    ['is unavailable', { kind: 'unavailable', reason: 'throttled' } as const, 503],
    ['fails', { kind: 'failed', reason: 'it crashed' } as const, 409],
  ])(
    "does not report success if the commits cannot be checked because the model's function %s",
    async (_, failure, status) => {
      await tracker.put(moved('Wilma', 'Rome'));
      tracker.forgetFails = failure;
      const response = await tracker.requestForget();
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({
        detail: expect.stringMatching(
          /^the data key has been destroyed, but .*: (throttled|it crashed)$/,
        ),
      });
      expect((await tracker.get<Shown>(path)).state).toMatchObject({ name: null });
    },
  );

  it('reports success without a check of the commits if the model is not registered', async () => {
    await tracker.put(moved('Wilma', 'Rome'));
    tracker.models.unregister('resident');
    expect(await forgetting()).toEqual({
      forgotten: true,
      rewritten: null,
      parked: 0,
      revokedLinks: 0,
    });
  });
});
