import { beforeEach, describe, expect, it, vi } from 'vitest';
import { placed } from '../../support/data/events.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';
import type { HistoryBody } from './history-body.ts';

let api: MemoryApi;
beforeEach(() => {
  api = new MemoryApi();
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

  it.each([
    ['oldest', [1, 2], 'commit 3 is missing, but commit 5 exists'],
    [
      'newest',
      [30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13],
      'commit 12',
    ],
  ] as const)(
    'lists the entries before a missing commit with order=%s, and then responds with 500',
    async (order, before, reason) => {
      for (let n = 1; n <= 30; n++) await api.apply(placed(n, { id: `e${n}` }));
      for (const version of [3, 4, 12])
        api.instances.deleteCommit({ model: 'counter', transaction: 'T1', version });
      const { body } = await api.get<HistoryBody>(`${path}?limit=100&order=${order}`);
      expect(body.entries.map(({ version }) => version)).toEqual(before);
      expect(await api.get(`${path}?order=${order}&cursor=${body.cursor}`)).toMatchObject({
        status: 500,
        body: { detail: expect.stringContaining(`counter/T1 has damaged data: ${reason}`) },
      });
    },
  );

  it('lists the newest entries first before it reports that the first commit is missing', async () => {
    for (let n = 1; n <= 2; n++) await api.apply(placed(n, { id: `e${n}` }));
    api.instances.deleteCommit({ model: 'counter', transaction: 'T1', version: 1 });
    const { body } = await api.get<HistoryBody>(`${path}?order=newest`);
    expect(ids(body)).toEqual(['e2']);
    expect(await api.get(`${path}?order=newest&cursor=${body.cursor}`)).toMatchObject({
      status: 500,
      body: { detail: expect.stringContaining('commit 1 is missing, but commit 2 exists') },
    });
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

  it('shows the instance to which Milepost sends the outcome of an event', async () => {
    await api.apply(placed(1, { replyTo: { model: 'orders', transaction: 'O/1' } }));
    const { body } = await api.get<HistoryBody>(path);
    expect(body.entries[0]!.event).toMatchObject({ replyto: 'orders/O/1' });
  });

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

  it('reads the commits only once, even if the cursor contains an index that its commit does not have', async () => {
    for (let i = 1; i <= 20; i++) await api.apply(placed(i, { id: `e${i}` }));
    const [list, , filters] = (await api.get<HistoryBody>(`${path}?limit=1`)).body.cursor!.split(
      '.',
    );
    const cursor = [list, Buffer.from('1.999999').toString('base64url'), filters].join('.');
    const read = vi.spyOn(api.instances.store, 'commitsFrom');
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
