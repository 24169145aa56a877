import { beforeEach, describe, expect, it } from 'vitest';
import { type DeadLetter, deadLetterId } from '../../../src/core/event/dead-letter.ts';
import { placed } from '../../support/data/events.ts';
import { problem } from '../../support/data/problem.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';

const letterAt = (second: number): DeadLetter => ({
  id: deadLetterId({
    recordId: `shard:${second}`,
    position: { shard: 'shard', sequence: String(second) },
    arrivedAt: Date.UTC(2026, 0, 1, 0, 0, second),
  }),
  reason: 'not UTF-8',
  at: `2026-01-01T00:00:0${second}.000Z`,
  modelId: null,
  transactionId: null,
  eventId: null,
  partitionKey: 'key',
  parked: null,
  raw: Buffer.of(0xff),
});

let api: MemoryApi;
beforeEach(async () => {
  api = new MemoryApi();
  await api.apply(placed(1));
});

describe('an unknown query parameter of the API', () => {
  it.each([
    ['/api/instances?modle=counter', '`modle`; did you mean `model`?'],
    ['/api/instances?Status=Low', '`Status`; did you mean `status`?'],
    [
      '/api/instances?colour=red',
      '`colour`. This path accepts cursor, full, key, late, limit, model, order',
    ],
    ['/api/instances/counter/T1?versoin=1', '`versoin`; did you mean `version`?'],
    ['/api/instances/counter/T1/history?at=2026-01-01T00:00:00Z', '`at`'],
    ['/api/models?limit=1', '`limit`. This path accepts none'],
    ['/api/health?__proto__=1', '`__proto__`'],
  ])('is rejected with the closest known name or the accepted names: %s', async (path, detail) => {
    expect(await api.get(path)).toMatchObject(problem(400, `no query parameter ${detail}`));
  });

  it('is rejected before the request has any effect', async () => {
    const path = '/api/dead-letters/redrive?raeson=not%20JSON';
    expect(await api.send('POST', path)).toMatchObject(problem(400, 'did you mean `reason`?'));
    expect(api.stream.records).toEqual([]);
  });
});

describe('a query parameter of the API', () => {
  it('is rejected if it is repeated', async () => {
    const answer = await api.get('/api/instances?model=counter&model=other');
    expect(answer).toMatchObject(problem(400, '`model` must appear only once; got 2 values'));
  });

  it.each(['=1', 'model=counter&='])('is rejected if it has no name: %s', async (query) => {
    const answer = await api.get(`/api/instances?${query}`);
    expect(answer).toMatchObject(problem(400, 'a query parameter must have a name'));
  });

  it.each(['order=random', 'order=', 'late=yes', 'key=42', 'limit=007'])(
    'is rejected if its value is invalid: %s',
    async (query) => {
      const [name] = query.split('=');
      expect(await api.get(`/api/instances?${query}`)).toMatchObject(problem(400, name));
    },
  );

  it.each(['model=&status=&q=&key=', 'late=&parked='])('can be empty: %s', async (query) => {
    expect((await api.get(`/api/instances?${query}`)).status).toBe(200);
  });
});

describe('a cursor', () => {
  it('is accepted only by the list that returned it', async () => {
    await api.apply(placed(2, { transaction: 'T2' }), placed(3));
    await api.deadLetters.put([letterAt(1), letterAt(2)]);
    const lists = [
      '/api/instances?limit=1',
      '/api/instances?order=fixed&model=counter&limit=1',
      '/api/instances/counter/T1/history?limit=1',
      '/api/dead-letters?limit=1',
    ];
    for (const list of lists) {
      const { cursor } = (await api.get<{ cursor?: string }>(list)).body;
      expect((await api.get(`${list}&cursor=${cursor}`)).status).toBe(200);
      for (const other of lists.filter((each) => each !== list))
        expect(await api.get(`${other}&cursor=${cursor}`)).toMatchObject(
          problem(404, 'earlier response'),
        );
    }
  });

  it.each([
    ['/api/instances', 'instances._w'],
    ['/api/dead-letters', 'dead-letters._w'],
    ['/api/instances/counter/T1/history', 'history._w'],
  ])('for %s is rejected if it did not come from a response', async (path, cursor) => {
    expect(await api.get(`${path}?cursor=${cursor}`)).toMatchObject(
      problem(404, 'earlier response'),
    );
    expect(await api.get(`${path}?cursor=nonsense`)).toMatchObject(problem(400, 'cursor'));
  });
});
