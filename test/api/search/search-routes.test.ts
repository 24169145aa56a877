import { beforeEach, describe, expect, it } from 'vitest';
import type { DeadLetter } from '../../../src/core/event/dead-letter.ts';
import { abbreviated } from '../../support/data/abbreviated.ts';
import { commitOf } from '../../support/data/commits.ts';
import { placed } from '../../support/data/events.ts';
import { letterIdAt } from '../../support/data/letter-id.ts';
import { problem } from '../../support/data/problem.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';

let api: MemoryApi;
beforeEach(() => {
  api = new MemoryApi();
});

interface Results {
  readonly instances: readonly { readonly transaction: string }[];
  readonly byKey: readonly { readonly transaction: string }[];
  readonly deadLetters: readonly { readonly id: string }[];
}

describe('GET /api/search', () => {
  const search = async (text: string) => {
    const { body } = await api.get<Results>(`/api/search?q=${encodeURIComponent(text)}`);
    return {
      instances: body.instances.map(({ transaction }) => transaction),
      byKey: body.byKey.map(({ transaction }) => transaction),
      deadLetters: body.deadLetters.map(({ id }) => id),
    };
  };
  const nothing = { instances: [], byKey: [], deadLetters: [] };
  const letter = (second: number, more: Partial<DeadLetter>): DeadLetter => ({
    id: letterIdAt(second, Date.UTC(2026, 0, 1, 0, 0, second)),
    reason: 'data.n must be a number',
    at: `2026-01-01T00:00:0${second}.000Z`,
    modelId: 'counter',
    transactionId: 'AT-1',
    eventId: 'e7',
    partitionKey: 'key',
    parked: null,
    raw: Buffer.of(1),
    ...more,
  });

  it('finds instances by transaction id prefix, latest change first', async () => {
    for (const [index, transaction] of ['AT-1', 'AT-2', 'B-1'].entries()) {
      await api.apply(placed(index, { transaction }));
      await api.clock.advance(1000);
    }
    expect(await search('AT')).toEqual({ ...nothing, instances: ['AT-2', 'AT-1'] });
    expect(await search(' AT-1 ')).toMatchObject({ instances: ['AT-1'] });
  });

  it('returns at most eight instances', async () => {
    for (let i = 0; i < 9; i++) await api.apply(placed(i, { transaction: `AT-${i}` }));
    expect((await search('AT')).instances).toHaveLength(8);
  });

  it('finds instances by a business key', async () => {
    const commit = commitOf({ model: 'counter', transaction: 'T1' }, 1, {
      description: { status: 'Low', keys: ['customer:42'] },
    });
    await api.instances.store.commit([commit]);
    await api.instances.store.writeStatus([commit]);
    expect(await search('customer:42')).toEqual({ ...nothing, byKey: ['T1'] });
    expect(await search('customer:4')).toEqual(nothing);
  });

  it('finds dead letters by their id, event id, or transaction id', async () => {
    const [one, other] = [letter(1, {}), letter(2, { eventId: 'e8', transactionId: null })];
    await api.deadLetters.put([one, other]);
    expect(await search(one.id)).toEqual({ ...nothing, deadLetters: [one.id] });
    expect(await search('e8')).toEqual({ ...nothing, deadLetters: [other.id] });
    expect(await search('AT-1')).toEqual({ ...nothing, deadLetters: [one.id] });
    expect(await search('AT')).toEqual(nothing);
    // The id is valid, but no dead letter has it.
    expect(await search(letter(3, {}).id)).toEqual(nothing);
  });

  it('finds nothing if the text consists only of spaces', async () => {
    await api.apply(placed(1));
    expect(await search('  ')).toEqual(nothing);
  });

  it.each(
    [
      ['', ''],
      ['?q=', '; it has 0'],
      [`?q=${'x'.repeat(257)}`, '; it has 257'],
    ].map(([query, length]) => [abbreviated(query!), query, length]),
  )('rejects the query %j', async (_, query, length) => {
    expect(await api.get(`/api/search${query}`)).toMatchObject(
      problem(400, `\`q\` must have 1 to 256 characters${length}`),
    );
  });
});

describe('GET /api/search/events', () => {
  interface Found {
    readonly events: readonly object[];
    readonly itemsRead: number;
    readonly cursor?: string;
  }
  const find = async (query: string) => (await api.get<Found>(`/api/search/events?${query}`)).body;

  it('finds an event in the history of its instance by the complete event id', async () => {
    await api.apply(placed(1, { id: 'e1' }), placed(2, { id: 'e2' }));
    await api.apply(placed(3, { id: 'e10', transaction: 'T2' }));
    const event = { model: 'counter', source: 'test', type: 'added', version: 1 };
    const time = '2026-01-01T00:00:00.000Z';
    expect((await find('id=e1')).events).toEqual([{ ...event, id: 'e1', transaction: 'T1', time }]);
    expect((await find('id=e10')).events).toEqual([
      { ...event, id: 'e10', transaction: 'T2', time },
    ]);
    expect((await find('id=e')).events).toEqual([]);
  });

  it('finds an event whose id requires escaping in JSON', async () => {
    const id = 'a "quoted"\n\\ id';
    await api.apply(placed(1, { id }));
    expect((await find(`id=${encodeURIComponent(id)}`)).events).toMatchObject([{ id }]);
  });

  it('finds an event in a commit that is stored compressed', async () => {
    const text = 'x'.repeat(3_000);
    await api.apply(
      ...Array.from({ length: 20 }, (_, i) => placed(i, { id: `e${i}`, data: { n: 1, text } })),
    );
    expect((await find('id=e19')).events).toMatchObject([{ id: 'e19', transaction: 'T1' }]);
  });

  it('returns a cursor when it reaches its time limit, so that the search can continue', async () => {
    // The cursor contains the key of an item, which can be as long as a transaction id and a business key together.
    const long = '鍵'.repeat(255);
    const transactions = [0, 1, 2, 3, 4].map((i) => `${i}${long}`);
    for (const [i, transaction] of transactions.entries())
      await api.apply(placed(i, { id: `e${i}`, transaction }));
    const [pk, sk] = [{ S: `KEY#counter#${long}` }, { S: transactions[0]! }];
    await api.instances.client.putItem({ TableName: 'instances', Item: { pk, sk } });
    const { client } = api.instances;
    const scan = client.scan.bind(client);
    // Each request to DynamoDB reads one item and takes two seconds.
    client.scan = async (input) => {
      await api.clock.advance(2_000);
      return scan({ ...input, Limit: 1 });
    };
    const first = await find('id=e4');
    expect(first).toMatchObject({ itemsRead: 2 });
    const found = [...first.events];
    let requests = 1;
    for (let { cursor } = first; cursor !== undefined; requests++) {
      const next = await find(`id=e4&cursor=${cursor}`);
      found.push(...next.events);
      ({ cursor } = next);
    }
    expect(found).toMatchObject([{ id: 'e4', transaction: transactions[4] }]);
    expect(requests).toBeGreaterThan(1);
  });

  it('rejects a request without an id, and a cursor that did not come from a response', async () => {
    expect(await api.get('/api/search/events')).toMatchObject(
      problem(400, '`id` must have 1 to 256 characters'),
    );
    expect(await api.get('/api/search/events?id=e1&cursor=never')).toMatchObject(
      problem(400, '`cursor` must come from an earlier response'),
    );
    const invented = `events.${Buffer.from('"x"').toString('base64url')}`;
    expect(await api.get(`/api/search/events?id=e1&cursor=${invented}`)).toMatchObject(
      problem(
        400,
        '`cursor` comes from a response to a request with a different path or different filters',
      ),
    );
  });
});
