import type { InferOutput } from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import type { counterRebuild, countPage } from '../../../src/api/counts/count-schemas.ts';
import type { overview } from '../../../src/api/registry/overview-schema.ts';
import type { Commit } from '../../../src/core/history/commit.ts';
import { statusRow } from '../../../src/core/status/status-row.ts';
import { commitOf } from '../../support/data/commits.ts';
import { MemoryApi, type ProblemBody } from '../../support/service/memory-api.ts';

type CountPage = InferOutput<typeof countPage>;
type Rebuild = InferOutput<typeof counterRebuild>;

let api: MemoryApi;
beforeEach(() => {
  api = new MemoryApi();
});

/** Writes the status row of an instance that started on the given day of January 2026. */
function write(transaction: string, status: string, day: number, ...keys: string[]): void {
  put(transaction, { startedAt: dayOf(day), description: { status, keys } });
}

/** Writes the status row of an instance that became late on the given day of January 2026. */
function writeLate(transaction: string, day: number): void {
  put(transaction, { lateAt: dayOf(day), at: dayOf(day + 1) });
}

function put(transaction: string, more: Partial<Commit>): void {
  const version = (api.instances.rowOf({ model: 'counter', transaction })?.version ?? 0) + 1;
  api.instances.putRow(statusRow(commitOf({ model: 'counter', transaction }, version, more)));
}

const dayOf = (day: number) => `2026-01-${String(day).padStart(2, '0')}T12:00:00.000Z`;

const counts = async (query: string) =>
  (await api.get<CountPage>(`/api/counts?model=counter&${query}`)).body;

describe('GET /api/counts', () => {
  it('counts instances by status, with declared statuses first, in the order of the model', async () => {
    write('T1', 'Open', 1);
    write('T2', 'Open', 1);
    write('T3', 'Gone', 1);
    const { body } = await api.get<CountPage>('/api/counts?model=counter');
    expect(body.by).toBe('status');
    const { statuses } = (await api.models.get('counter'))!;
    expect(body.counts.map(({ value }) => value)).toEqual([
      ...statuses,
      ...['Gone', 'Open'].filter((each) => !statuses.includes(each)),
    ]);
    expect(body.counts.filter(({ instances }) => instances > 0)).toEqual(
      expect.arrayContaining([
        { value: 'Open', instances: 2 },
        { value: 'Gone', instances: 1 },
      ]),
    );
    write('T1', 'Gone', 1);
    const after = await counts('by=status');
    expect(after.counts).toContainEqual({ value: 'Gone', instances: 2 });
  });

  it('counts instances by start date, newest first', async () => {
    for (const [n, day] of [1, 3, 3, 2].entries()) write(`T${n}`, 'Open', day);
    const first = await counts('by=day&limit=2');
    expect(first.counts).toEqual([
      { value: '2026-01-03', instances: 2 },
      { value: '2026-01-02', instances: 1 },
    ]);
    const second = await counts(`by=day&limit=2&cursor=${first.cursor}`);
    expect(second.counts).toEqual([{ value: '2026-01-01', instances: 1 }]);
    expect(second.cursor).toBeUndefined();
  });

  it('counts instances by the values of a business key', async () => {
    write('T1', 'Open', 1, 'customer:ö', 'region:eu');
    write('T2', 'Open', 1, 'customer:a:b', 'region:eu');
    write('T3', 'Open', 1, 'region:eu');
    expect((await counts('by=key:customer')).counts).toEqual([
      { value: 'a:b', instances: 1 },
      { value: 'ö', instances: 1 },
    ]);
    expect((await counts('by=key:region')).counts).toEqual([{ value: 'eu', instances: 3 }]);
    expect((await counts('by=key:unused')).counts).toEqual([]);
    // The response omits a value that no instance has anymore.
    write('T2', 'Open', 1, 'region:eu');
    expect((await counts('by=key:customer')).counts).toEqual([{ value: 'ö', instances: 1 }]);
  });

  it.each([
    [
      'model=counter&by=week',
      '`by` must be status, day, or key:NAME with the name of a business key',
    ],
    ['model=counter&by=key:', '`by` must be status, day, or key:'],
    ['by=day', '`model` is required'],
    ['model=', '`model` must have 1 to 64 characters'],
    ['model=countre', 'there is no model `countre`; did you mean `counter`?'],
    ['model=counter&by=day&limit=0', '`limit` must be an integer from 1 to 100; got 0'],
  ])('rejects %s', async (query, detail) => {
    const { status, body } = await api.get<ProblemBody>(`/api/counts?${query}`);
    expect(status).toBe(400);
    expect(body.detail).toContain(detail);
  });
});

describe('GET /api/instances', () => {
  const total = async (query: string) =>
    (await api.get<{ total?: number }>(`/api/instances?${query}`)).body.total;

  it('returns the total of a list of one model', async () => {
    for (let n = 0; n < 30; n++) write(`T${n}`, n % 3 ? 'Open' : 'Gone', 1);
    expect(await total('model=counter&limit=5')).toBe(30);
    expect(await total('model=counter&status=Gone')).toBe(10);
    expect(await total('model=counter&parked=true')).toBe(0);
    writeLate('T40', 1);
    expect(await total('model=counter&late=true')).toBe(1);
  });

  it('returns the total of a list of all models, including models that were removed', async () => {
    write('T1', 'Open', 1);
    writeLate('T2', 1);
    const removed = { model: 'removed', transaction: 'T1' };
    api.instances.putRow(statusRow(commitOf(removed, 1)));
    expect(await total('')).toBe(3);
    expect(await total('late=true')).toBe(1);
    expect(await total('parked=true')).toBe(0);
  });

  it('returns the total of a list with a status that several models share', async () => {
    write('T1', 'Open', 1);
    write('T2', 'Gone', 1);
    const other = { model: 'removed', transaction: 'T1' };
    api.instances.putRow(statusRow(commitOf(other, 1, { description: { status: 'Open' } })));
    expect(await total('status=Open')).toBe(2);
  });

  it.each([
    'q=T',
    'key=a:b',
    'model=counter&q=T',
    'model=counter&key=a:b',
    'model=counter&late=true&status=Open',
    'model=counter&late=true&parked=true',
  ])('omits the total if it is unknown: %j', async (query) => {
    write('T1', 'Open', 1);
    expect(await total(query)).toBeUndefined();
  });

  it('omits the total if the counters cannot be read or do not respond in time', async () => {
    write('T1', 'Open', 1);
    const { counts } = api.counters;
    counts.totals = () => Promise.reject(new Error('throttled'));
    const list = () => api.get<{ instances: unknown[]; total?: number }>('/api/instances');
    const without = { status: 200, body: { instances: [expect.objectContaining({})] } };
    const failed = await list();
    expect(failed).toMatchObject(without);
    expect(failed.body).not.toHaveProperty('total');
    expect(api.errors).toEqual([new Error('throttled')]);
    const started = Promise.withResolvers<void>();
    counts.totals = () => {
      started.resolve();
      return new Promise(() => undefined);
    };
    const slow = list();
    await started.promise;
    await api.clock.advance(1_000);
    expect(await slow).toMatchObject(without);
    expect((await slow).body).not.toHaveProperty('total');
  });
});

describe('POST /api/counts/rebuild', () => {
  it('corrects wrong counts', async () => {
    write('T1', 'Open', 1, 'customer:42');
    write('T2', 'Open', 2);
    await api.counters.countChanges();
    for (const { pk, sk } of api.counters.database.items('counters'))
      api.counters.database.delete('counters', { pk: pk!, sk: sk! });
    expect((await counts('by=key:customer')).counts).toEqual([]);

    const steps: Rebuild[] = [];
    while (steps.at(-1)?.step !== 'done') {
      const request = api.send<Rebuild>('POST', '/api/counts/rebuild');
      const { status, body } = await api.clock.runUntil(request);
      expect(status).toBe(body.step === 'done' ? 200 : 202);
      steps.push(body);
    }
    expect(steps.at(-1)).toEqual({ step: 'done', rows: 2 });
    expect((await counts('by=key:customer')).counts).toEqual([{ value: '42', instances: 1 }]);
    write('T3', 'Open', 2);
    expect((await counts('by=day')).counts).toEqual([
      { value: '2026-01-02', instances: 2 },
      { value: '2026-01-01', instances: 1 },
    ]);
  });
});

it('GET /api/overview counts late instances, with at most ten requests to DynamoDB', async () => {
  write('T1', 'Open', 1);
  for (let n = 0; n < 30; n++) writeLate(`L${n}`, 1 + (n % 9));
  await api.counters.countChanges();
  let requests = 0;
  for (const database of [api.counters.database, api.instances.database])
    database.interfere = () => {
      requests += 1;
    };
  const { body } = await api.get<InferOutput<typeof overview>>('/api/overview');
  expect(body.models.map(({ late }) => late)).toEqual([{ instances: 30, more: false }]);
  // Reading the registry, the dead letters, and the event rates takes one request each.
  expect(requests + 3).toBeLessThanOrEqual(10);
});

it('GET /api/overview includes the instances of removed models in the totals', async () => {
  write('T1', 'Open', 1);
  const removed = commitOf({ model: 'loan', transaction: 'L-9' }, 1, {
    lateAt: dayOf(1),
    at: dayOf(2),
  });
  api.instances.putRow({ ...statusRow(removed), parked: 2 });
  await api.counters.countChanges();
  const { body } = await api.get<InferOutput<typeof overview>>('/api/overview');
  expect(body.models.map(({ id }) => id)).toEqual(['counter']);
  expect(body).toMatchObject({
    instances: { instances: 2, more: false },
    parked: { instances: 1, more: false },
    late: { instances: 1, more: false },
  });
});
