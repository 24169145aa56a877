import { beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/aws/client/transport/service-error.ts';
import { commitKey } from '../../../src/aws/instances/instance-keys.ts';
import { type StatusRow, statusRow } from '../../../src/core/status/status-row.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';
import { instancesTable } from '../../support/aws-in-memory/instances-in-memory.ts';
import { commitOf } from '../../support/data/commits.ts';
import { placed } from '../../support/data/events.ts';
import { problem } from '../../support/data/problem.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';

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

describe('GET /api/instances with late, parked, or key', () => {
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

  it('returns the other instances of the page if the stored data of some instances is damaged', async () => {
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
    expect(answer).toMatchObject(problem(503));
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
      problem(400, '`order` must be newest, oldest, or fixed; got "random"'),
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

  it('returns the members of the instance except state, milestones, and timers', async () => {
    const [summary] = (await api.get<ListBody>('/api/instances?limit=1')).body.instances;
    const instance = (await api.get('/api/instances/counter/B1')).body;
    expect(instance).toEqual({ ...summary, state: expect.any(Object), milestones: [], timers: [] });
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
