import { beforeEach, describe, expect, it } from 'vitest';
import { abbreviated } from '../../support/data/abbreviated.ts';
import { placed } from '../../support/data/events.ts';
import { problem } from '../../support/data/problem.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';

interface ListBody {
  readonly instances: readonly { readonly transaction: string }[];
  readonly cursor?: string;
}

let api: MemoryApi;
beforeEach(() => {
  api = new MemoryApi();
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

  it('are rejected if the cursor belongs to the history of another instance', async () => {
    for (const transaction of ['T1', 'T2'])
      for (const n of [1, 2])
        await api.apply(placed(n, { id: `${transaction}-${n}`, transaction }));
    const history = (transaction: string) =>
      `/api/instances/counter/${transaction}/history?limit=1`;
    const { body } = await api.get<ListBody>(history('T1'));
    const next = `&cursor=${body.cursor}`;
    expect((await api.get(history('T1') + next)).status).toBe(200);
    expect(await api.get(history('T2') + next)).toMatchObject(problem(400, 'a different path'));
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
