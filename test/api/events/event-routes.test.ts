import { beforeEach, describe, expect, it } from 'vitest';
import { problem } from '../../support/data/problem.ts';
import { MemoryApi, type ProblemBody } from '../../support/service/memory-api.ts';

let api: MemoryApi;
beforeEach(() => {
  api = new MemoryApi();
});

const event = (id: string, more: object = {}) => ({
  id,
  type: 'added',
  modelid: 'counter',
  transactionid: 'T1',
  ...more,
});
const put = (body: string | Uint8Array<ArrayBuffer>) =>
  api.send<ProblemBody>('POST', '/api/events', body);
const putJson = (body: unknown) => put(JSON.stringify(body));

describe('POST /api/events', () => {
  it('puts an event on the stream, with the transaction id as the partition key', async () => {
    const sent = event('a', { time: '2026-01-01T01:00:00+01:00', data: { n: 1 }, subject: 's' });
    expect(await putJson(sent)).toMatchObject({ status: 202, body: { accepted: 1 } });
    expect(api.stream.events).toEqual([sent]);
    expect(api.stream.records[0]?.partitionKey).toBe('T1');
  });

  it('adds the trace of the request to events without a trace', async () => {
    api.traceparent = '00-4efaaf4d1e8720b39541901950019ee5-00f067aa0ba902b7-01';
    const other = event('b', { traceparent: '00-1-2-00' });
    await putJson([event('a'), other]);
    expect(api.stream.events).toEqual([{ ...event('a'), traceparent: api.traceparent }, other]);
  });

  it('puts the events of an array in order', async () => {
    const ids = ['a', 'b', 'c'];
    const sent = ids.map((id) => event(id, { transactionid: `T-${id}` }));
    expect(await putJson(sent)).toMatchObject({ status: 202, body: { accepted: 3 } });
    expect(api.stream.events).toEqual(sent);
    expect(api.stream.records.map(({ partitionKey }) => partitionKey)).toEqual([
      'T-a',
      'T-b',
      'T-c',
    ]);
  });

  it('accepts an empty array and a body with a byte order mark', async () => {
    expect(await putJson([])).toMatchObject({ status: 202, body: { accepted: 0 } });
    expect(await put(`\ufeff${JSON.stringify(event('a'))}`)).toMatchObject({ status: 202 });
  });

  it('accepts at most 500 events', async () => {
    const many = Array.from({ length: 501 }, (_, i) => event(`e${i}`));
    expect(await putJson(many)).toMatchObject(problem(400, '501'));
    expect(api.stream.records).toEqual([]);
    expect(await putJson(many.slice(1))).toMatchObject({ status: 202, body: { accepted: 500 } });
    expect(api.stream.records).toHaveLength(500);
  });

  it('lists every invalid event by index and accepts none', async () => {
    const answer = await putJson([
      event('a'),
      event('', {}),
      event('c'),
      7,
      event('e', { modelid: 'No', type: undefined }),
    ]);
    expect(answer).toMatchObject(problem(400, '3 of 5 events'));
    expect(answer.body.errors).toEqual([
      { index: 1, detail: 'id must have 1 to 256 characters' },
      { index: 3, detail: 'not a JSON object' },
      {
        index: 4,
        detail:
          'type is missing; modelid must have 1 to 64 characters from a-z, 0-9, and -; got "No"',
      },
    ]);
    expect(api.stream.records).toEqual([]);
  });

  it('returns the reason if a single event is invalid', async () => {
    const answer = await putJson(event('a', { time: 'tomorrow' }));
    expect(answer).toMatchObject(
      problem(
        400,
        'time must be an RFC 3339 date and time, such as 2026-01-31T17:00:00Z; got "tomorrow"',
      ),
    );
    expect(answer.body.errors).toMatchObject([{ index: 0 }]);
  });

  it('reports the index of each event with a reserved source', async () => {
    const answer = await putJson([
      event('a', { source: 'milepost' }),
      event('b', { source: 'milepost:clock' }),
      event('c', { source: 'Milepost:shop' }),
      event('d', { source: ' milepost:clock' }),
    ]);
    expect(answer).toMatchObject(problem(400, '2 of 4 events'));
    const reserved =
      "`source` must not start with `milepost:`, which is reserved for Milepost's own events; got";
    expect(answer.body.errors).toEqual([
      { index: 1, detail: `${reserved} "milepost:clock"` },
      { index: 2, detail: `${reserved} "Milepost:shop"` },
    ]);
    expect(api.stream.records).toEqual([]);
  });

  it('reports the index of each event that JavaScript cannot represent exactly', async () => {
    const answer = await put(
      `[${JSON.stringify(event('a'))},
        {"id":"b","type":"t","modelid":"m","transactionid":"T","data":{"n":12345678901234567890}},
        {"id":"c","type":"t","modelid":"m","transactionid":"T","data":{"__proto__":{"x":1}}}]`,
    );
    expect(answer).toMatchObject(problem(400, '2 of 3 events'));
    expect(answer.body.errors).toEqual([
      { index: 1, detail: expect.stringContaining('12345678901234567890') },
      { index: 2, detail: expect.stringContaining('__proto__') },
    ]);
    expect(api.stream.records).toEqual([]);
  });

  it('reports the index of each event that is nested more than 100 levels deep', async () => {
    const nested = (id: string, levels: number) =>
      JSON.stringify(event(id, { data: 'LEVELS' })).replace(
        '"LEVELS"',
        '['.repeat(levels - 1) + ']'.repeat(levels - 1),
      );
    const answer = await put(`[${nested('a', 100)},${nested('b', 101)},${nested('c', 9_000)}]`);
    expect(answer).toMatchObject(problem(400, '2 of 3 events'));
    expect(answer.body.errors).toEqual([
      { index: 1, detail: 'nested more than 100 levels deep' },
      { index: 2, detail: 'nested more than 100 levels deep' },
    ]);
    expect(api.stream.records).toEqual([]);
    expect(await put(`[${nested('a', 100)}]`)).toMatchObject({ status: 202 });
    expect(api.stream.events).toEqual([JSON.parse(nested('a', 100))]);
  });

  it('accepts an event that would exceed the size limit if its numbers were rewritten', async () => {
    api.traceparent = '00-4efaaf4d1e8720b39541901950019ee5-00f067aa0ba902b7-01';
    const numbers = Array.from({ length: 30_000 }, () => '1e20').join(',');
    const text = (id: string) =>
      `{ "id":"${id}", "type":"added", "modelid":"counter", "transactionid":"T1", "data":[${numbers}] }`;
    expect(await put(`\n${text('a')}\n`)).toMatchObject({ status: 202 });
    const others = '{"id":"], {","type":"added","modelid":"counter","transactionid":"[[" }';
    expect(await put(`[${others} , ${text('b')},\n${text('c')} ]`)).toMatchObject({ status: 202 });
    const expected = (id: string) => ({ ...JSON.parse(text(id)), traceparent: api.traceparent });
    const [a, other, b, c] = api.stream.events;
    expect([a, b, c]).toEqual(['a', 'b', 'c'].map(expected));
    expect(other).toMatchObject({ id: '], {', transactionid: '[[' });
  });

  it('accepts an event of the maximum size and omits the trace of the request, which would exceed the limit', async () => {
    api.traceparent = '00-4efaaf4d1e8720b39541901950019ee5-00f067aa0ba902b7-01';
    const sized = (id: string, bytes: number) => {
      const empty = JSON.stringify(event(id, { data: '' })).length;
      return event(id, { data: 'x'.repeat(bytes - empty) });
    };
    const [largest, larger] = [sized('a', 256 * 1024), sized('b', 256 * 1024 + 1)];
    expect(await api.send('POST', '/api/events', JSON.stringify(largest))).toMatchObject({
      status: 202,
    });
    expect(api.stream.events).toEqual([largest]);
    expect(await api.send('POST', '/api/events', JSON.stringify(larger))).toMatchObject(
      problem(400, 'at most 262144 bytes of JSON; got 262145'),
    );
  });

  it('reports the index of each event that is too large', async () => {
    const answer = await putJson([event('a'), event('b', { data: 'x'.repeat(256 * 1024) })]);
    expect(answer).toMatchObject(problem(400, '1 of 2 events'));
    expect(answer.body.errors).toEqual([
      { index: 1, detail: expect.stringContaining('at most 262144 bytes') },
    ]);
  });

  it.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ['an empty body', '', 'not JSON'],
    ['plain text', 'hello', 'not JSON'],
    ['two concatenated events', `${JSON.stringify(event('a'))}\n{}`, 'not JSON'],
    ['invalid UTF-8', Uint8Array.of(0x22, 0xc3, 0x28, 0x22), 'must be UTF-8'],
    ['deep nesting', `${'['.repeat(300)}${']'.repeat(300)}`, 'nested'],
    ['a string', '"event"', 'not a JSON object'],
    ['null', 'null', 'not a JSON object'],
    ['an array of arrays', '[[]]', 'not a JSON object'],
  ])('rejects %s', async (_, body, detail) => {
    expect(await put(body)).toMatchObject(problem(400, detail));
    expect(api.stream.records).toEqual([]);
  });

  it('rejects a compressed body, which an HTTP API does not decompress', async () => {
    const post = (coding: string) =>
      api.send<ProblemBody>('POST', '/api/events', JSON.stringify(event('a')), {
        'content-encoding': coding,
      });
    const answer = await post('gzip');
    expect(answer).toMatchObject(
      problem(415, 'must not be compressed; got `content-encoding: gzip`'),
    );
    expect(answer.headers.get('accept-encoding')).toBe('identity');
    expect(await post('identity')).toMatchObject({ status: 202 });
  });

  it('responds with 500, without internal details, if the stream fails', async () => {
    api.stream.kinesis.failure = new Error('the stream accepted 0 of 1 records: secret details');
    const answer = await putJson(event('a'));
    expect(answer).toMatchObject(problem(500));
    expect(JSON.stringify(answer.body)).not.toContain('secret');
    expect(api.errors).toEqual([api.stream.kinesis.failure]);
  });
});
