import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../../src/aws/client/transport/service-error.ts';
import { commitKey } from '../../../src/aws/instances/instance-keys.ts';
import { type StatusRow, statusRow } from '../../../src/core/status/status-row.ts';
import { StepDurations } from '../../../src/core/status/step-durations.ts';
import { milestoneStep } from '../../../src/core/status/step-times.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';
import { instancesTable } from '../../support/aws-in-memory/instances-in-memory.ts';
import { abbreviated } from '../../support/data/abbreviated.ts';
import { commitOf } from '../../support/data/commits.ts';
import { placed } from '../../support/data/events.ts';
import { problem } from '../../support/data/problem.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';

interface InstanceBody {
  readonly transaction: string;
  readonly version: number;
  readonly state: { readonly sum: number };
  readonly eta: readonly { readonly p50: string; readonly p90: string }[];
}

interface HistoryBody {
  readonly entries: readonly {
    readonly version: number;
    readonly event: { readonly id: string; readonly data: unknown };
    readonly outcome: string;
    readonly reason: string | null;
    readonly state: { readonly sum: number };
  }[];
  readonly cursor?: string;
}

interface ListBody {
  readonly instances: readonly { readonly transaction: string }[];
  readonly cursor?: string;
}

interface WholeListBody extends ListBody {
  readonly unreadable?: readonly { readonly transaction: string; readonly reason: string }[];
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

describe('GET /api/instances?late=, ?parked= and ?key=', () => {
  const listed = async (query: string) => {
    const answer = await api.get<ListBody>(`/api/instances${query}`);
    return answer.body.instances.map(({ transaction }) => transaction).toSorted();
  };

  it('lists only late instances or only instances with parked events', async () => {
    const late = (transaction: string, lateAt: string | null) =>
      api.instances.putRow({
        ...statusRow(commitOf({ model: 'counter', transaction }, 1)),
        lateAt,
      });
    late('over', toIso(api.clock.now() - 1));
    late('now', toIso(api.clock.now()));
    late('never', null);
    const parked = statusRow(commitOf({ model: 'counter', transaction: 'parked' }, 1));
    api.instances.putRow({ ...parked, parked: 2 });
    expect(await listed('?late=true')).toEqual(['over']);
    expect(await listed('?parked=true')).toEqual(['parked']);
    expect(await listed('?late=true&parked=true')).toEqual([]);
    expect(await listed('?late=false&parked=')).toEqual(['never', 'now', 'over', 'parked']);
  });

  it('lists only instances with the given business key', async () => {
    await api.apply(placed(1));
    const named = commitOf({ model: 'counter', transaction: 'named' }, 1, {
      description: { status: 'Open', keys: ['customer:42'] },
    });
    await api.instances.store.writeStatus([named]);
    expect(await listed('?key=customer:42')).toEqual(['named']);
  });

  it('rejects a key without a name, and values other than true and false', async () => {
    expect(await api.get('/api/instances?key=42')).toMatchObject(
      problem(
        400,
        '`key` must be a name and a value joined by a colon, such as customer:42; got "42"',
      ),
    );
    expect(await api.get('/api/instances?late=maybe')).toMatchObject(
      problem(400, '`late` must be true or false'),
    );
  });
});

describe('GET /api/instances?risk=', () => {
  const put = (transaction: string, times: Partial<StatusRow>) =>
    api.instances.putRow({
      ...statusRow(commitOf({ model: 'counter', transaction }, 1)),
      ...times,
    });
  const listed = async (query: string) =>
    (await api.get<ListBody>(`/api/instances${query}`)).body.instances;

  it('returns which milestones are late or at risk, since when, and how late they are', async () => {
    const ago = (minutes: number) => toIso(api.clock.now() - minutes * 60_000);
    const soon = toIso(api.clock.now() + 60_000);
    put('late', { lateAt: ago(90), lateMilestone: 'paid' });
    put('risky', { riskAt: ago(5), riskMilestone: 'sent', lateAt: soon, lateMilestone: 'sent' });
    put('early', { riskAt: soon, riskMilestone: 'sent', lateAt: soon, lateMilestone: 'sent' });
    expect(await listed('?risk=late')).toMatchObject([
      {
        transaction: 'late',
        risk: { state: 'late', milestone: 'paid', since: ago(90), lateBy: 'PT1H30M' },
      },
    ]);
    expect(await listed('?risk=at-risk')).toMatchObject([
      { transaction: 'risky', risk: { state: 'at-risk', milestone: 'sent', since: ago(5) } },
    ]);
    const early = (await listed('?q=early'))[0];
    expect(early).not.toHaveProperty('risk');
    expect(await listed('?risk=')).toHaveLength(3);
  });

  it('rejects unknown values', async () => {
    expect(await api.get('/api/instances?risk=soon')).toMatchObject(
      problem(400, '`risk` must be at-risk or late; got "soon"'),
    );
  });
});

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
      eta: [],
      timers: [],
      parked: 0,
      state: { sum: 21, log: [expect.any(String), expect.any(String)] },
    });
  });

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

  it('estimates when pending milestones will be reached once enough instances have finished', async () => {
    const milestones = [{ id: 'paid', label: 'Paid' }];
    api.models.register(registryEntry('counter', { milestones }));
    await api.apply(placed(1));
    const eta = async () => (await api.get<InstanceBody>('/api/instances/counter/T1')).body.eta;
    expect(await eta()).toEqual([]);
    const stepDurations = new StepDurations();
    stepDurations.add(
      Array.from({ length: 20 }, () => ({ step: milestoneStep(null, 'paid'), ms: 3_600_000 })),
    );
    await api.observations.addStepDurations('counter', stepDurations);
    await api.clock.advance(10_000);
    const [paid] = await eta();
    expect(paid).toEqual({ id: 'paid', p50: paid!.p90, p90: expect.any(String) });
    expect(Date.parse(paid!.p50) - Date.UTC(2026, 0, 1)).toBeGreaterThan(0.95 * 3_600_000);
    expect(Date.parse(paid!.p50) - Date.UTC(2026, 0, 1)).toBeLessThan(1.06 * 3_600_000);
    // Step durations are cached for a few seconds, so another request does not read them again.
    const read = vi.spyOn(api.observations, 'stepDurations');
    await eta();
    expect(read).not.toHaveBeenCalled();
    // If they can no longer be read in time, the latest known ones are used.
    const known = [{ id: 'paid', p50: expect.any(String), p90: expect.any(String) }];
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

  it('is returned without estimates if the durations of steps cannot be read', async () => {
    await api.apply(placed(1));
    api.observations.stepDurations = () => Promise.reject(new Error('throttled'));
    expect(await api.get('/api/instances/counter/T1')).toMatchObject({
      status: 200,
      body: { transaction: 'T1', eta: [] },
    });
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

describe('GET /api/instances?order=fixed', () => {
  it('pages through all instances of a model', async () => {
    for (const transaction of ['T1', 'T2', 'T3'])
      await api.apply(placed(1, { id: transaction, transaction }));
    const path = '/api/instances?model=counter&order=fixed&limit=2';
    const first = await api.get<ListBody>(path);
    const second = await api.get<ListBody>(`${path}&cursor=${first.body.cursor}`);
    const all = [...first.body.instances, ...second.body.instances];
    expect(all.map(({ transaction }) => transaction).toSorted()).toEqual(['T1', 'T2', 'T3']);
    expect(second.body).not.toHaveProperty('cursor');
  });

  it.each(['', '&model=', '&model=counter&status=Low', '&model=counter&late=true'])(
    'requires a model and accepts no filter: %j',
    async (more) => {
      expect(await api.get(`/api/instances?order=fixed${more}`)).toMatchObject(problem(400));
    },
  );

  it('returns complete instances with full=true', async () => {
    for (const transaction of ['T1', 'T2', 'T/3'])
      await api.apply(placed(1, { id: transaction, transaction, data: { n: 20 } }));
    const parked = placed(2, { id: 'parked' });
    const cause = { reason: 'broken', fault: true, at: toIso(api.clock.now()), letterId: 'letter' };
    for (const transaction of ['T2', 'T4']) {
      const event = { ...parked.event, transaction };
      const change = await api.instances.parking.begin(event, parked.position);
      await api.instances.parking.park([{ ...parked, event, ...cause }]);
      await api.instances.parking.finish(change, { count: 1, since: cause.at });
    }
    const row = statusRow(commitOf({ model: 'counter', transaction: 'T4' }, 1));
    api.instances.putRow({ ...row, version: 0, status: 'Parked' });
    const path = '/api/instances?model=counter&order=fixed&full=true';
    const { body } = await api.get<ListBody>(path);
    expect(body.instances.map(({ transaction }) => transaction).toSorted()).toEqual([
      'T/3',
      'T1',
      'T2',
      'T4',
    ]);
    const oldestParked = { eventId: 'parked', reason: 'broken', at: cause.at };
    expect(body.instances).toEqual(
      expect.arrayContaining(
        ['T2', 'T4'].map((transaction) => expect.objectContaining({ transaction, oldestParked })),
      ),
    );
    const parkedFirst = body.instances.find(({ transaction }) => transaction === 'T4');
    expect(parkedFirst).toMatchObject({ status: 'Parked', startedAt: null });
    for (const instance of body.instances) {
      const own = `/api/instances/counter/${encodeURIComponent(instance.transaction)}`;
      expect(instance).toEqual((await api.get(own)).body);
    }
  });

  it('returns the other instances of the page if the stored data of some is damaged', async () => {
    for (const transaction of ['T1', 'T2', 'T3', 'T4', 'T5']) {
      const commit = commitOf({ model: 'counter', transaction }, 1);
      api.instances.putCommits(commit);
      api.instances.putRow(statusRow(commit));
    }
    const damage = (transaction: string, UpdateExpression: string, text?: string) =>
      api.instances.client.updateItem({
        TableName: instancesTable,
        Key: { pk: { S: `counter#${transaction}` }, sk: { S: commitKey(1) } },
        UpdateExpression,
        ...(text && { ExpressionAttributeValues: { ':text': { S: text } } }),
      });
    await damage('T2', 'REMOVE heard');
    await damage('T4', 'SET description = :text', '{');
    const path = '/api/instances?model=counter&order=fixed&full=true';
    const { status, body } = await api.get<WholeListBody>(path);
    const { instances, unreadable = [] } = body;
    expect(status).toBe(200);
    expect(instances.map(({ transaction }) => transaction).toSorted()).toEqual(['T1', 'T3', 'T5']);
    expect(unreadable.toSorted((a, b) => a.transaction.localeCompare(b.transaction))).toEqual([
      {
        model: 'counter',
        transaction: 'T2',
        reason: 'the item counter#T2 COMMIT#0000000001 has no attribute heard',
      },
      { model: 'counter', transaction: 'T4', reason: expect.stringContaining('JSON') },
    ]);
    expect(api.errors).toHaveLength(2);
  });

  it('fails for the entire page if the database is unavailable', async () => {
    const commit = commitOf({ model: 'counter', transaction: 'T1' }, 1);
    api.instances.putCommits(commit);
    api.instances.putRow(statusRow(commit));
    api.instances.interfere = ({ pk }) => {
      if (pk === 'counter#T1') throw new ServiceError('InternalServerError', 'unavailable', 500);
    };
    const answer = await api.get('/api/instances?model=counter&order=fixed&full=true');
    expect(answer).toMatchObject(problem(500));
  });

  it('limits pages to the maximum response size of Lambda', async () => {
    const large = { type: 'filled', data: { bytes: 250_000 } };
    for (let n = 10; n < 30; n++)
      await api.apply(placed(n, { id: `e${n}`, transaction: `T${n}`, ...large }));
    const path = '/api/instances?model=counter&order=fixed&full=true&limit=100';
    const sizes: number[] = [];
    let cursor = '';
    do {
      const { body } = await api.get<ListBody>(path + cursor);
      sizes.push(body.instances.length);
      cursor = body.cursor === undefined ? '' : `&cursor=${body.cursor}`;
    } while (cursor !== '');
    expect(sizes).toEqual([12, 8]);
  });

  it('is required for full=true', async () => {
    const answer = await api.get('/api/instances?model=counter&full=true');
    expect(answer).toMatchObject(problem(400, '`full` requires `order=fixed`'));
  });
});

describe('GET /api/instances/{model}/{transaction}/history', () => {
  const path = '/api/instances/counter/T1/history';
  const ids = (body: HistoryBody) => body.entries.map(({ event }) => event.id);

  it('lists each event with its outcome, oldest first', async () => {
    const time = '2025-12-31T00:00:00Z';
    await api.apply(
      placed(1, { id: 'a', data: { n: 4 }, time }),
      placed(2, { id: 'b', data: { n: -1 } }),
    );
    const { body } = await api.get<HistoryBody>(path);
    expect(body.entries[0]).toEqual({
      version: 1,
      modelVersion: 1,
      at: '2026-01-01T00:00:00.000Z',
      event: { id: 'a', source: 'test', type: 'added', time, data: { n: 4 } },
      outcome: 'applied',
      reason: null,
      status: 'Low',
      state: { sum: 4, log: ['a'] },
    });
    expect(body.entries[1]).toMatchObject({
      event: { id: 'b', data: { n: -1 } },
      outcome: 'rejected',
      reason: 'below zero',
      state: { sum: 4 },
    });
    expect(body).not.toHaveProperty('cursor');
  });

  it.each(
    [1, 2, 3, 4, 5, 7, 100].flatMap((limit) => [
      [limit, 'oldest'] as const,
      [limit, 'newest'] as const,
    ]),
  )(
    'returns full pages with limit=%i and order=%s even if a commit has several entries',
    async (limit, order) => {
      const sizes = [1, 3, 2, 1, 1, 4, 1];
      const sent: string[] = [];
      for (const size of sizes) {
        const events = Array.from({ length: size }, () =>
          placed(sent.length, { id: `e${sent.push('')}` }),
        );
        await api.apply(...events);
      }
      const found: string[] = [];
      const pages: number[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const page = `${path}?limit=${limit}&order=${order}${query}`;
        const { body } = await api.get<HistoryBody>(page);
        found.push(...ids(body));
        pages.push(body.entries.length);
        cursor = body.cursor;
      }
      const oldestFirst = sent.map((_, i) => `e${i + 1}`);
      expect(found).toEqual(order === 'newest' ? oldestFirst.toReversed() : oldestFirst);
      expect(pages.slice(0, -1).every((size) => size === limit)).toBe(true);
      expect(pages.at(-1)).toBeGreaterThan(0);
    },
  );

  it('continues with the next older entry even if events arrive between two requests for the newest entries', async () => {
    await api.apply(placed(1, { id: 'e1' }), placed(2, { id: 'e2' }));
    const first = await api.get<HistoryBody>(`${path}?order=newest&limit=1`);
    await api.apply(placed(3, { id: 'e3' }));
    const next = `${path}?order=newest&cursor=${first.body.cursor}`;
    expect([first.body, (await api.get<HistoryBody>(next)).body].map(ids)).toEqual([
      ['e2'],
      ['e1'],
    ]);
  });

  it('limits pages to the maximum response size of Lambda', async () => {
    for (let i = 0; i < 15; i++)
      await api.apply(placed(i, { type: 'filled', data: { bytes: 290_000 + i } }));
    const first = await api.get<HistoryBody>(path);
    expect(first.body.entries).toHaveLength(10);
    const second = await api.get<HistoryBody>(`${path}?cursor=${first.body.cursor}`);
    expect(second.body.entries.map(({ version }) => version)).toEqual([11, 12, 13, 14, 15]);
    expect(second.body).not.toHaveProperty('cursor');
  });

  it('returns complete pages even if the store returns fewer commits than requested', async () => {
    for (let i = 1; i <= 5; i++) await api.apply(placed(i, { id: `e${i}` }));
    const { store } = api.instances;
    const whole = store.commitsFrom.bind(store);
    store.commitsFrom = (key, version) => whole(key, version, 2);
    const { body } = await api.get<HistoryBody>(path);
    expect(ids(body)).toEqual(['e1', 'e2', 'e3', 'e4', 'e5']);
    expect(body.cursor).toBeUndefined();
  });

  it('reads no more commits for an index that the commit does not have', async () => {
    for (let i = 1; i <= 20; i++) await api.apply(placed(i, { id: `e${i}` }));
    const read = vi.spyOn(api.instances.store, 'commitsFrom');
    const cursor = `history.${Buffer.from('1.999999').toString('base64url')}`;
    const { body } = await api.get<HistoryBody>(`${path}?limit=2&cursor=${cursor}`);
    expect(ids(body)).toEqual(['e2', 'e3']);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('returns 25 entries per page by default', async () => {
    for (let i = 0; i < 26; i++) await api.apply(placed(i));
    const { body } = await api.get<HistoryBody>(path);
    expect(body.entries).toHaveLength(25);
    expect(body.cursor).toBeDefined();
  });
});

describe('GET /api/instances', () => {
  beforeEach(async () => {
    for (const [index, transaction] of ['A1', 'A2', 'B1'].entries()) {
      await api.apply(placed(index, { transaction, data: { n: index * 10 } }));
      await api.clock.advance(1000);
    }
  });
  const found = async (query: string) =>
    (await api.get<ListBody>(`/api/instances${query}`)).body.instances.map((i) => i.transaction);

  it('sorts by the latest change, newest first with order=newest and oldest first with order=oldest', async () => {
    expect(await found('?order=oldest')).toEqual(['A1', 'A2', 'B1']);
    expect(await found('?order=newest')).toEqual(['B1', 'A2', 'A1']);
    expect(await found('?order=oldest&q=A')).toEqual(['A1', 'A2']);
    expect(await api.get('/api/instances?order=random')).toMatchObject(
      problem(400, '`order` must be newest, oldest or fixed; got "random"'),
    );
  });

  it('returns summaries, sorted by the record time of the latest change', async () => {
    expect(await found('')).toEqual(['B1', 'A2', 'A1']);
    expect((await api.get<ListBody>('/api/instances?limit=1')).body.instances[0]).toEqual({
      model: 'counter',
      modelVersion: 1,
      transaction: 'B1',
      version: 1,
      status: 'High',
      done: false,
      progress: null,
      startedAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:02.000Z',
      statusSince: '2026-01-01T00:00:00.000Z',
      parked: 0,
    });
  });

  it.each([
    ['?model=counter', ['B1', 'A2', 'A1']],
    ['?status=High', ['B1', 'A2']],
    ['?q=A', ['A2', 'A1']],
    ['?q=A&status=High', ['A2']],
    ['?model=&status=&q=', ['B1', 'A2', 'A1']],
    ['?q=%25', []],
  ])('filters the list with %s', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it('omits an instance until one of its events is applied or parked', async () => {
    await api.apply(placed(9, { transaction: 'A0', data: { n: -1 } }));
    expect(await found('')).toEqual(['B1', 'A2', 'A1']);
    expect(await found('?model=counter&order=fixed')).not.toContain('A0');
    const { event, position } = placed(10, { transaction: 'A0' });
    await api.instances.parking.park([
      { event, position, reason: 'r', fault: true, at: event.time, letterId: 'l' },
    ]);
    await api.instances.parking.recount(event);
    expect(await found('?parked=true')).toEqual(['A0']);
    await api.instances.parking.remove(event, [position]);
    await api.apply(placed(11, { transaction: 'A0' }));
    expect(await found('?q=A0')).toEqual(['A0']);
  });

  it('returns instances in pages with cursors', async () => {
    const first = await api.get<ListBody>('/api/instances?limit=2');
    expect(first.body.instances).toHaveLength(2);
    expect(await found(`?limit=2&cursor=${first.body.cursor}`)).toEqual(['A1']);
  });

  it.each(['model', 'status', 'q'])('rejects a value that is too long: %s', async (name) => {
    expect(await api.get(`/api/instances?${name}=${'x'.repeat(257)}`)).toMatchObject(
      problem(400, name),
    );
  });
});

describe('the limit and cursor parameters', () => {
  const lists = ['/api/instances', '/api/instances/counter/T1/history', '/api/dead-letters'];
  const limits = ['0', '101', 'abc', '-1', '1.5', '', '1e1', '0x10', '%20', 'NaN', '9'.repeat(400)];
  const cursors = ['', '!!', 'abc=', '%FF', Buffer.from('a'.repeat(2000)).toString('base64url')];
  const bad = [...limits.map((limit) => `limit=${limit}`), ...cursors.map((c) => `cursor=${c}`)];

  it.each(lists.flatMap((list) => bad.map((query) => [list, abbreviated(query), query] as const)))(
    'are rejected if they are invalid: %s?%s',
    async (list, _, query) => {
      await api.apply(placed(1));
      expect(await api.get(`${list}?${query}`)).toMatchObject(
        problem(400, query.startsWith('limit=') ? 'limit' : 'cursor'),
      );
    },
  );

  it.each(lists)('accept limits of 1 and 100: %s', async (list) => {
    await api.apply(placed(1));
    expect((await api.get(`${list}?limit=1`)).status).toBe(200);
    expect((await api.get(`${list}?limit=100`)).status).toBe(200);
  });

  it('are rejected if the cursor belongs to a list with different filters', async () => {
    for (const transaction of ['T1', 'T2'])
      await api.apply(placed(1, { id: transaction, transaction }));
    const list = '/api/instances?model=counter&limit=1';
    const { body } = await api.get<ListBody>(list);
    const next = `cursor=${body.cursor}`;
    expect((await api.get(`/api/instances?limit=100&${next}&model=counter&q=`)).status).toBe(200);
    for (const path of [
      '/api/instances?',
      `${list}&q=T&`,
      '/api/instances?model=counter&late=true&',
    ])
      expect(await api.get(path + next)).toMatchObject(problem(400, 'different filters'));
  });

  it.each(['elsewhere', '0.0', '1', '1.0x', '-1.0', '99999999999.0'])(
    'are rejected if the cursor did not come from a history: %j',
    async (place) => {
      await api.apply(placed(1));
      const cursor = Buffer.from(place).toString('base64url');
      const answer = await api.get(`/api/instances/counter/T1/history?cursor=${cursor}`);
      expect(answer).toMatchObject(problem(400, 'cursor'));
    },
  );
});
