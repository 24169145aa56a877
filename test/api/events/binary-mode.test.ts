import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { problem } from '../../support/data/problem.ts';
import { MemoryApi, type ProblemBody } from '../../support/service/memory-api.ts';

let api: MemoryApi;
beforeEach(() => {
  api = new MemoryApi();
});

const attributes = {
  'ce-specversion': '1.0',
  'ce-id': 'a',
  'ce-source': '/shop',
  'ce-type': 'added',
  'ce-modelid': 'counter',
  'ce-transactionid': 'T1',
};
const event = {
  specversion: '1.0',
  id: 'a',
  source: '/shop',
  type: 'added',
  modelid: 'counter',
  transactionid: 'T1',
};
const json = { 'content-type': 'application/json' };
const post = (headers: Readonly<Record<string, string>>, body: string) =>
  api.send<ProblemBody>('POST', '/api/events', body, headers);

describe('POST /api/events in the binary content mode of CloudEvents', () => {
  it('takes the attributes from the headers and the data from the body', async () => {
    const answer = await post({ ...attributes, ...json, 'ce-subject': 's' }, '{"n":1}');
    expect(answer).toMatchObject({ status: 202, body: { accepted: 1 } });
    const expected = {
      ...event,
      subject: 's',
      datacontenttype: 'application/json',
      data: { n: 1 },
    };
    expect(api.stream.events).toEqual([expected]);
    expect(api.stream.records[0]?.partitionKey).toBe('T1');
  });

  it('accepts an event without data', async () => {
    expect(await post({ ...attributes, ...json }, '')).toMatchObject({ status: 202 });
    expect(api.stream.events).toEqual([event]);
  });

  it.each(['application/json; charset=utf-8', 'application/vnd.shop.order+json', 'text/json'])(
    'accepts data with the content type %s',
    async (type) => {
      expect(await post({ ...attributes, 'content-type': type }, '[1]')).toMatchObject({
        status: 202,
      });
      expect(api.stream.events).toEqual([{ ...event, datacontenttype: type, data: [1] }]);
    },
  );

  it('parses the body as JSON if the HTTP client sets the content type by itself', async () => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await post({ ...attributes, ...type }, '{"n":1}')).toMatchObject({ status: 202 });
    expect(api.stream.events).toEqual([{ ...event, data: { n: 1 } }]);
  });

  it('accepts an event in structured mode if the content type is a CloudEvents media type', async () => {
    const type = { 'content-type': 'application/cloudevents+json; charset=utf-8' };
    const answer = await post({ ...type, 'ce-id': 'other' }, JSON.stringify(event));
    expect(answer).toMatchObject({ status: 202 });
    expect(api.stream.events).toEqual([event]);
  });

  it('decodes quoted and percent-encoded headers', async () => {
    const headers = {
      ...attributes,
      ...json,
      'ce-source': '"a \\"b\\" %25"',
      'ce-id': '%E2%82%AC',
    };
    expect(await post(headers, '')).toMatchObject({ status: 202 });
    expect(api.stream.events).toEqual([{ ...event, source: 'a "b" %', id: '€' }]);
  });

  it('decodes any text that a CloudEvents SDK encodes', async () => {
    const id = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(id, async (transactionid) => {
        fc.pre(!/\p{Cc}/u.test(transactionid));
        api = new MemoryApi();
        const encoded = encodeURIComponent(transactionid);
        const answer = await post({ ...attributes, 'ce-transactionid': encoded }, '');
        expect(answer).toMatchObject({ status: 202 });
        expect(api.stream.events).toEqual([{ ...event, transactionid }]);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['a missing attribute', { 'ce-type': undefined }, '{}', 'type is missing'],
    ['data that is not JSON', {}, '{"n":', 'the body must be JSON, because it is the event'],
    ['data that closes the event', {}, '1},{"id":"b"', 'the body must be JSON'],
    ['data with an inexact number', {}, '12345678901234567890', '12345678901234567890'],
    ['an invalid percent-encoding', { 'ce-id': '100%' }, '{}', 'the header `ce-id` must be'],
    ['an unencoded character', { 'ce-id': 'é' }, '{}', 'percent-encoded UTF-8; got "é"'],
    ['data in a header', { 'ce-data': '{}' }, '{}', "send the event's data as the body"],
    ['data in Base64', { 'ce-data_base64': 'e30=' }, '', 'data_base64'],
    ['data in XML', { 'content-type': 'text/xml' }, '<n/>', 'the body must be JSON'],
    ['a reserved source', { 'ce-source': 'milepost:api' }, '{}', 'reserved'],
  ])('rejects %s', async (_, changes, body, detail) => {
    const headers = Object.entries({ ...attributes, ...json, ...changes }).filter(
      (each): each is [string, string] => each[1] !== undefined,
    );
    expect(await post(Object.fromEntries(headers), body)).toMatchObject(problem(400, detail));
    expect(api.stream.records).toEqual([]);
  });
});
