import { beforeEach, describe, expect, it } from 'vitest';
import { emptySeen } from '../../../src/core/history/seen.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';
import { abbreviated } from '../../support/data/abbreviated.ts';
import { commitOf, entryOf } from '../../support/data/commits.ts';
import { placed } from '../../support/data/events.ts';
import { problem } from '../../support/data/problem.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';

interface ExplainBody {
  readonly asOf: { readonly version: number; readonly at: string };
  readonly fields: readonly {
    readonly path: string;
    readonly value?: unknown;
    readonly removed?: true;
    readonly setBy: { readonly version: number; readonly event: { readonly id: string } } | null;
    readonly pathBefore?: string;
  }[];
  readonly cursor?: string;
}

const path = '/api/instances/counter/T1/explain';
const second = (n: number) => toIso(Date.UTC(2026, 0, 1) + n * 1000);

let api: MemoryApi;
beforeEach(() => {
  api = new MemoryApi();
});

const explained = async (query = '') => (await api.get<ExplainBody>(`${path}${query}`)).body;
const ids = ({ fields }: ExplainBody) =>
  Object.fromEntries(fields.map(({ path: each, setBy }) => [each, setBy?.event.id]));

describe('GET /api/instances/{model}/{transaction}/explain', () => {
  it('returns each field with the event that set it', async () => {
    const time = '2025-12-31T00:00:00Z';
    await api.apply(placed(1, { id: 'a', data: { n: 4 }, time, source: 'till' }));
    await api.clock.advance(1000);
    await api.apply(
      placed(2, { id: 'b', data: { n: 0 } }),
      placed(3, { id: 'c', data: { n: -1 } }),
    );
    const of = (version: number, event: object) => ({
      version,
      at: second(version - 1),
      modelVersion: 1,
      event,
    });
    const first = of(1, { id: 'a', source: 'till', type: 'added', time });
    const last = of(2, { id: 'b', source: 'test', type: 'added', time: second(0) });
    expect(await explained()).toEqual({
      asOf: { version: 2, at: second(1) },
      fields: [
        { path: '/sum', value: 4, setBy: first },
        { path: '/log/0', value: 'a', setBy: first },
        { path: '/log/1', value: 'b', setBy: last },
      ],
    });
  });

  it('attributes the initial state to the first event, even if that event was rejected', async () => {
    await api.apply(placed(1, { id: 'a', data: { n: -1 } }));
    await api.apply(placed(2, { id: 'b', data: { n: 0 } }));
    expect(ids(await explained())).toEqual({ '/sum': 'a', '/log/0': 'b' });
    expect(ids(await explained('?version=1'))).toEqual({ '/sum': 'a', '/log': 'a' });
  });

  it('distinguishes the events of one commit and follows list elements that move', async () => {
    await api.apply(...Array.from({ length: 4 }, (_, n) => placed(n, { id: `e${n}` })));
    await api.apply(...Array.from({ length: 4 }, (_, n) => placed(n + 4, { id: `e${n + 4}` })));
    expect(ids(await explained())).toEqual({
      '/sum': 'e7',
      '/log/0': 'e3',
      '/log/1': 'e4',
      '/log/2': 'e5',
      '/log/3': 'e6',
      '/log/4': 'e7',
    });
  });

  it('explains the state at a given version or time', async () => {
    for (let n = 0; n < 3; n++) {
      await api.apply(placed(n, { id: `e${n}` }));
      await api.clock.advance(1000);
    }
    const then = { '/sum': 'e1', '/log/0': 'e0', '/log/1': 'e1' };
    expect(ids(await explained('?version=2'))).toEqual(then);
    const at = await explained(`?at=${second(1.5)}`);
    expect(ids(at)).toEqual(then);
    expect(at.asOf).toEqual({ version: 2, at: second(1.5) });
    expect(await api.get(`${path}?version=4`)).toMatchObject(problem(404, 'no version 4'));
    expect(await api.get(`${path}?version=1&at=${second(1)}`)).toMatchObject(problem(400));
  });

  it('explains only the requested part of the state and reports the removal of a field', async () => {
    await api.apply(placed(1, { id: 'a' }));
    await api.apply(placed(2, { id: 'b', type: 'filled', data: { bytes: 3 } }));
    expect(ids(await explained('?field=/filler'))).toEqual({ '/filler': 'b' });
    expect(ids(await explained('?field=/log'))).toEqual({ '/log/0': 'a' });
    expect(ids(await explained('?field='))).toHaveProperty('/sum');
    expect((await explained('?field=/nothing')).fields).toEqual([]);
    const commit = api.instances.commitsOf({ model: 'counter', transaction: 'T1' })[0]!;
    const again = { ...commit, version: 3 };
    api.instances.putCommits(again);
    const { fields } = await explained('?field=/filler');
    expect(fields).toEqual([
      { path: '/filler', removed: true, setBy: expect.objectContaining({ version: 3 }) },
    ]);
  });

  it.each(
    ['?field=sum', '?field=/~', `?field=/${'x'.repeat(256)}`].map((query) => [
      abbreviated(query),
      query,
    ]),
  )('responds with 400 to %s', async (_, query) => {
    await api.apply(placed(1));
    expect(await api.get(path + query)).toMatchObject(problem(400, 'JSON Pointer'));
  });

  it.each(['x', '1', '0 /a', '1 a', '1 /~'])(
    'responds with 400 to the cursor %j',
    async (place) => {
      await api.apply(placed(1));
      const cursor = Buffer.from(place).toString('base64url');
      expect(await api.get(`${path}?cursor=${cursor}`)).toMatchObject(problem(400, 'cursor'));
    },
  );

  it('explains a long history in pages, each of which covers about 1,000 commits', async () => {
    const key = { model: 'counter', transaction: 'T1' };
    const commits = Array.from({ length: 1502 }, (_, n) => {
      const state = JSON.stringify({ sum: n, filler: 'xxx' });
      const entries = [entryOf(key, { state }, `e${n}`)];
      return commitOf(key, n + 1, { state, entries, seen: emptySeen });
    });
    api.instances.putCommits(...commits);
    const { client } = api.instances;
    const query = client.query.bind(client);
    let read = 0;
    client.query = async (input) => {
      const page = await query(input);
      read += page.Count!;
      return page;
    };
    const one = await explained();
    expect(read).toBeGreaterThan(1000);
    expect(read).toBeLessThan(1030);
    expect(one.fields[0]).toMatchObject({ path: '/sum', setBy: { event: { id: 'e1501' } } });
    expect(one.fields.at(-1)).toEqual({
      path: '/filler',
      value: 'xxx',
      setBy: null,
      pathBefore: '/filler',
    });
    const ofOther = `/api/instances/counter/T2/explain?cursor=${one.cursor}`;
    expect(await api.get(ofOther)).toMatchObject(problem(400, 'a different path'));
    const two = await explained(`?cursor=${one.cursor}`);
    expect(two.asOf.version).toBe(502);
    expect(ids(two)).toMatchObject({ '/filler': 'e0' });
    expect(two).not.toHaveProperty('cursor');
    // There is no further page, because the first page fully explains the selected part.
    expect(await explained('?field=/sum')).not.toHaveProperty('cursor');
    const part = await explained('?field=/filler');
    expect(part.fields).toHaveLength(1);
    expect(ids(await explained(`?cursor=${part.cursor}`))).toEqual({ '/filler': 'e0' });
  });

  it('continues on another page if the states are large', async () => {
    const key = { model: 'counter', transaction: 'T1' };
    const filler = 'x'.repeat(290_000);
    const commits = Array.from({ length: 20 }, (_, n) => {
      const state = JSON.stringify({ sum: 1, n, filler });
      return commitOf(key, n + 1, { state, entries: [entryOf(key, { state }, `e${n}`)] });
    });
    api.instances.putCommits(...commits);
    const one = await explained('?field=/sum');
    expect(one.fields).toMatchObject([{ setBy: null, pathBefore: '/sum' }]);
    expect(ids(await explained(`?cursor=${one.cursor}`))).toEqual({ '/sum': 'e0' });
  });

  it.each([
    [8000, '🚲'.repeat(128)],
    [20_000, 'e1'],
  ])(
    'responds with 400 if a state has %i fields and `field` does not select part of it',
    async (length, id) => {
      const key = { model: 'counter', transaction: 'T1' };
      const state = JSON.stringify({ many: Array.from({ length }, (_, n) => n), sum: 1 });
      const event = { ...entryOf(key).event, id };
      api.instances.putCommits(
        commitOf(key, 1, { state, entries: [entryOf(key, { event, state })] }),
      );
      expect(await api.get(path)).toMatchObject(
        problem(400, 'set `field` to select part of the state'),
      );
      expect((await explained('?field=/sum')).fields).toHaveLength(1);
    },
  );

  it.each(['a/b', 'explain', '100%', 'history'])(
    'finds the transaction %j',
    async (transaction) => {
      await api.apply(placed(1, { transaction, id: 'a' }));
      const encoded = encodeURIComponent(transaction);
      const { body } = await api.get<ExplainBody>(`/api/instances/counter/${encoded}/explain`);
      expect(ids(body)).toEqual({ '/sum': 'a', '/log/0': 'a' });
    },
  );

  it('requires the viewer role', async () => {
    await api.apply(placed(1));
    api.roles = ['viewer'];
    expect((await api.get(path)).status).toBe(200);
    expect((await api.get('/api/instances/counter/T1?version=1')).status).toBe(200);
    api.roles = [];
    expect(await api.get(path)).toMatchObject(problem(403));
  });

  it('responds with 404 if the instance does not exist', async () => {
    for (const each of ['counter/nobody', 'No%20Model/T1'])
      expect(await api.get(`/api/instances/${each}/explain`)).toMatchObject(problem(404));
  });
});
