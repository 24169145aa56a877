import { beforeEach, describe, expect, it, vi } from 'vitest';
import { StepDurations } from '../../../src/core/status/step-durations.ts';
import { milestoneStep } from '../../../src/core/status/step-times.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';
import { skipParkedEvent } from '../../../src/parking/unpark.ts';
import { abbreviated } from '../../support/data/abbreviated.ts';
import { placed } from '../../support/data/events.ts';
import { problem } from '../../support/data/problem.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';
import type { HistoryBody } from './history-body.ts';

interface InstanceBody {
  readonly transaction: string;
  readonly version: number;
  readonly state: { readonly sum: number };
  readonly eta?: readonly { readonly p50: string; readonly p90: string }[];
}

let api: MemoryApi;
beforeEach(() => {
  api = new MemoryApi();
});

/** Transaction ids that contain characters with a special meaning in URL paths. */
const awkward = [
  'a/b',
  'a//b/',
  '/a',
  '100%',
  '%41',
  '%25',
  '%2F',
  'a%zz',
  'a#b',
  'a?b=c&d',
  'two words',
  'a+b',
  '😀',
  'é',
  'a\\b',
  'a:b;c,d=e@f',
  '{id}',
  'line\u2028end',
  'history',
  'a/history',
  'redrive',
  '*',
  '"quoted"',
];

describe('GET /api/instances/{model}/{transaction}', () => {
  it('returns all members of the instance', async () => {
    await api.apply(placed(1), placed(2, { data: { n: 20 } }));
    expect(await api.get('/api/instances/counter/T1')).toMatchObject({ status: 200 });
    expect((await api.get('/api/instances/counter/T1')).body).toEqual({
      model: 'counter',
      modelVersion: 1,
      transaction: 'T1',
      version: 1,
      status: 'High',
      done: false,
      progress: null,
      startedAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
      statusSince: '2026-01-01T00:00:00.000Z',
      milestones: [],
      timers: [],
      parked: 0,
      state: { sum: 21, log: [expect.any(String), expect.any(String)] },
    });
  });

  it.each([
    ['/api/instances/counter/T1', (body: unknown) => [body]],
    [
      '/api/instances?model=counter&order=fixed&full=true',
      (body: unknown) => (body as { instances: unknown[] }).instances,
    ],
  ])(
    'returns the applied events of an instance whose queue a redrive empties during the request: %s',
    async (path, instancesIn) => {
      const event = placed(1);
      const key = { model: 'counter', transaction: 'T1' };
      const { parking } = api.instances;
      const change = await parking.begin(key, event.position);
      const at = toIso(api.clock.now());
      await parking.park([{ ...event, reason: 'broken', fault: true, at, letterId: 'letter' }]);
      await parking.finish(change, { count: 1, since: at });
      const count = parking.count.bind(parking);
      parking.count = async (instance) => {
        parking.count = count;
        await skipParkedEvent({ parking, deadLetters: api.deadLetters }, key, event.position);
        await api.apply(event);
        return count(instance);
      };
      const { status, body } = await api.get(path);
      expect(status).toBe(200);
      expect(instancesIn(body)).toMatchObject([{ version: 1, parked: 0, state: { sum: 1 } }]);
    },
  );

  it('returns an instance as not started if its first event was rejected', async () => {
    await api.apply(placed(1, { id: 'bad', data: { n: -1 } }));
    const path = '/api/instances/counter/T1';
    expect(await api.get(path)).toMatchObject({
      status: 200,
      body: { version: 1, status: 'Low', startedAt: null, state: { sum: 0 } },
    });
    expect(await api.get(`${path}?version=1`)).toMatchObject({ body: { startedAt: null } });
    expect((await api.get<HistoryBody>(`${path}/history`)).body.entries).toMatchObject([
      { version: 1, event: { id: 'bad' }, outcome: 'rejected', reason: 'below zero' },
    ]);
    await api.apply(placed(2, { time: '2025-12-30T00:00:00Z' }));
    expect(await api.get(path)).toMatchObject({
      body: { version: 2, startedAt: '2025-12-30T00:00:00.000Z' },
    });
  });

  it('returns the time when an imported event happened and the time when Milepost recorded the event', async () => {
    const paidAt = '2025-12-30T08:15:00.000Z';
    await api.apply(placed(1, { time: paidAt }));
    expect((await api.get('/api/instances/counter/T1')).body).toMatchObject({
      startedAt: paidAt,
      statusSince: paidAt,
      updatedAt: '2026-01-01T00:00:00.000Z',
    });
  });

  it('returns an event time in the future only in the history, and the record time elsewhere', async () => {
    const future = '2026-03-01T00:00:00.000Z';
    const now = '2026-01-01T00:00:00.000Z';
    await api.apply(placed(1, { time: future }));
    const path = '/api/instances/counter/T1';
    expect((await api.get(path)).body).toMatchObject({ startedAt: now, statusSince: now });
    expect((await api.get<HistoryBody>(`${path}/history`)).body.entries).toMatchObject([
      { at: now, event: { time: future } },
    ]);
  });

  it('uses the time of the commit for a milestone whose time is in the future', async () => {
    await api.apply(placed(1));
    const [commit] = api.instances.commitsOf({ model: 'counter', transaction: 'T1' });
    api.models.register(registryEntry('counter', { milestones: [{ id: 'paid', label: 'Paid' }] }));
    const milestones = [{ id: 'paid', at: '2026-03-01T00:00:00.000Z' }];
    api.instances.putCommits({
      ...commit!,
      description: { ...commit!.description, milestones },
    });
    const path = '/api/instances/counter/T1';
    for (const query of ['', '?version=1'])
      expect((await api.get(`${path}${query}`)).body).toMatchObject({
        milestones: [{ id: 'paid', state: 'reached', at: commit!.at }],
      });
  });

  const eta = async () => (await api.get<InstanceBody>('/api/instances/counter/T1')).body.eta;

  /** Records that 20 instances needed an hour from their start to the milestone `paid`. */
  async function addStepDurations(): Promise<void> {
    const stepDurations = new StepDurations();
    stepDurations.add(
      Array.from({ length: 20 }, () => ({ step: milestoneStep(null, 'paid'), ms: 3_600_000 })),
    );
    await api.observations.addStepDurations('counter', stepDurations);
  }

  it('estimates when pending milestones will be reached once enough instances have finished', async () => {
    const milestones = [{ id: 'paid', label: 'Paid' }];
    api.models.register(registryEntry('counter', { milestones }));
    await api.apply(placed(1));
    expect(await eta()).toBeUndefined();
    await addStepDurations();
    await api.clock.advance(10_000);
    const [paid] = (await eta())!;
    expect(paid).toEqual({ id: 'paid', p50: paid!.p90, p90: expect.any(String) });
    expect(Date.parse(paid!.p50) - Date.UTC(2026, 0, 1)).toBeGreaterThan(0.95 * 3_600_000);
    expect(Date.parse(paid!.p50) - Date.UTC(2026, 0, 1)).toBeLessThan(1.06 * 3_600_000);
  });

  it('reads step durations again only after a few seconds, and uses the latest known durations if the read takes too long', async () => {
    const milestones = [{ id: 'paid', label: 'Paid' }];
    api.models.register(registryEntry('counter', { milestones }));
    await api.apply(placed(1));
    await addStepDurations();
    const known = [{ id: 'paid', p50: expect.any(String), p90: expect.any(String) }];
    expect(await eta()).toEqual(known);
    const read = vi.spyOn(api.observations, 'stepDurations');
    expect(await eta()).toEqual(known);
    expect(read).not.toHaveBeenCalled();
    read.mockRejectedValueOnce(new Error('throttled'));
    await api.clock.advance(5_000);
    expect(await eta()).toEqual(known);
    expect(api.errors).toEqual([new Error('throttled')]);
    const started = Promise.withResolvers<void>();
    read.mockImplementationOnce(() => {
      started.resolve();
      return new Promise(() => undefined);
    });
    await api.clock.advance(5_000);
    const slow = eta();
    await started.promise;
    await api.clock.advance(1_000);
    expect(await slow).toEqual(known);
  });

  it('returns the instance without estimates if the step durations cannot be read', async () => {
    await api.apply(placed(1));
    api.observations.stepDurations = () => Promise.reject(new Error('throttled'));
    expect(await api.get('/api/instances/counter/T1')).toMatchObject({
      status: 200,
      body: { transaction: 'T1' },
    });
    expect(await eta()).toBeUndefined();
    expect(api.errors).toEqual([new Error('throttled')]);
  });

  it('returns the labels of milestones from the registry, or their ids if the model was removed', async () => {
    const milestones = [{ id: 'paid', label: 'Paid' }];
    await api.apply(placed(1));
    const commit = api.instances.commitsOf({ model: 'counter', transaction: 'T1' })[0]!;
    const at = '2026-01-01T00:00:00Z';
    const description = { ...commit.description, milestones: [{ id: 'paid', at }] };
    api.instances.putCommits({ ...commit, description });
    api.models.register(registryEntry('counter', { milestones }));
    const view = { id: 'paid', state: 'reached', at, expectedBy: null };
    expect(await api.get('/api/instances/counter/T1')).toMatchObject({
      body: { milestones: [{ ...view, label: 'Paid' }] },
    });
    api.models.unregister('counter');
    expect(await api.get('/api/instances/counter/T1')).toMatchObject({
      body: { milestones: [{ ...view, label: 'paid' }] },
    });
  });

  it.each(awkward)('finds the transaction %j by its encoded id', async (transaction) => {
    await api.apply(placed(1, { transaction }));
    const path = `/api/instances/counter/${encodeURIComponent(transaction)}`;
    expect((await api.get<InstanceBody>(path)).body.transaction).toBe(transaction);
    const history = await api.get<HistoryBody>(`${path}/history`);
    expect(history.body.entries.map(({ version }) => version)).toEqual([1]);
  });

  it.each(['a/b', 'a//b/', '/a', 'a/b/c', 'history', 'historyx/y', 'a/history/b'])(
    'finds the transaction %j even if its slashes are already decoded',
    async (transaction) => {
      await api.apply(placed(1, { transaction }));
      const path = `/api/instances/counter/${transaction}`;
      expect((await api.get<InstanceBody>(path)).body.transaction).toBe(transaction);
      const history = await api.get<HistoryBody>(`${path}/history`);
      expect(history.body.entries.map(({ version }) => version)).toEqual([1]);
    },
  );

  const unknown = [
    '/api/instances/counter/nobody',
    '/api/instances/nobody/T1',
    '/api/instances/counter/nobody/history',
    '/api/instances/No%20Model/T1',
    `/api/instances/counter/${'x'.repeat(257)}`,
    `/api/instances/${'x'.repeat(3000)}/T1/history`,
    '/api/instances/counter/a%0Ab',
    '/api/instances/counter/%FF',
    '/api/instances/counter/%',
  ];
  it.each(unknown.map((path) => [abbreviated(path), path]))(
    'responds with 404 to %s',
    async (_, path) => {
      await api.apply(placed(1));
      expect(await api.get(path)).toMatchObject(problem(404, 'there is no instance'));
    },
  );

  it('does not query the store for an invalid transaction id', async () => {
    api.instances.interfere = () => {
      throw new Error('a key must have at most 2048 bytes');
    };
    expect(await api.get(`/api/instances/counter/${'x'.repeat(3000)}`)).toMatchObject(problem(404));
    expect(await api.get(`/api/instances/counter/T1`)).toMatchObject(problem(500));
  });
});

describe('POST /api/instances/{model}/{transaction}/redrive', () => {
  it('changes nothing if the instance has no parked events', async () => {
    await api.apply(placed(1));
    expect(await api.send('POST', '/api/instances/counter/T1/redrive')).toMatchObject({
      status: 202,
      body: { redriven: 0 },
    });
    expect(api.stream.records).toEqual([]);
  });
});
