import {
  EventBridgeClient,
  type EventBridgeServiceException,
  ListEventBusesCommand,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { NodeHttp2Handler } from '@smithy/node-http-handler';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BusEvent, PublishedEvent } from '../../../src/aws-local/eventbridge/bus-event.ts';
import { createEventBusServer } from '../../../src/aws-local/eventbridge/event-bus-server.ts';
import { listen, type RunningServer } from '../../../src/aws-local/server/listen.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let taken: BusEvent[] = [];
let buses: string[] = [];
let failure: Error | undefined;
let listening: RunningServer;
let client: EventBridgeClient;
beforeAll(async () => {
  const take = async (events: readonly PublishedEvent[]) => {
    if (failure) throw failure;
    taken.push(...events.map(({ event }) => event));
    buses.push(...events.map(({ bus }) => bus));
  };
  listening = await listen(createEventBusServer(take, new ManualClock(Date.UTC(2026, 1, 3))), 0);
  client = new EventBridgeClient({
    endpoint: listening.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  });
});
afterAll(async () => {
  client.destroy();
  await listening[Symbol.asyncDispose]();
});
beforeEach(() => {
  taken = [];
  buses = [];
  failure = undefined;
});

const put = (...Entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries }));
const refusal = async (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    ({ name, message, $metadata }: EventBridgeServiceException) => ({
      name,
      message,
      status: $metadata.httpStatusCode,
    }),
  );
const good = { Source: 'test', DetailType: 'Said', Detail: '{"word":"ü"}' };

describe('the PutEvents endpoint', () => {
  it('supports HTTP/1.1 and HTTP/2 on one port', async () => {
    const http2 = new EventBridgeClient({
      endpoint: listening.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      requestHandler: new NodeHttp2Handler(),
    });
    const answer = await http2.send(new PutEventsCommand({ Entries: [good] }));
    expect(answer.FailedEntryCount).toBe(0);
    http2.destroy();
  });

  it('forwards events in the format that targets receive', async () => {
    const { FailedEntryCount, Entries } = await put({
      ...good,
      EventBusName: 'arn:aws:events:us-east-1:000000000000:event-bus/any',
      Time: new Date('2026-01-02T03:04:05.678Z'),
      Resources: ['arn:aws:s3:::bucket'],
    });
    expect(FailedEntryCount).toBe(0);
    expect(Entries).toEqual([{ EventId: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
    expect(taken).toEqual([
      {
        version: '0',
        id: Entries![0]!.EventId,
        'detail-type': 'Said',
        source: 'test',
        account: '000000000000',
        time: '2026-01-02T03:04:05Z',
        region: 'us-east-1',
        resources: ['arn:aws:s3:::bucket'],
        detail: { word: 'ü' },
      },
    ]);
  });

  it('forwards the name of the bus, even if an entry contains the ARN of the bus', async () => {
    const arn = 'arn:aws:events:eu-west-1:123456789012:event-bus/shop';
    const names = [undefined, '', 'default', 'shop', arn];
    await put(...names.map((EventBusName) => ({ ...good, EventBusName })));
    expect(buses).toEqual(['default', 'default', 'default', 'shop', 'shop']);
  });

  it('uses the time of the request for an event without a time', async () => {
    await put(good);
    expect(taken).toMatchObject([{ time: '2026-02-03T00:00:00Z', resources: [] }]);
  });

  it('accepts ten entries in order', async () => {
    const words = Array.from({ length: 10 }, (_, i) => i);
    await put(...words.map((word) => ({ ...good, Detail: JSON.stringify({ word }) })));
    expect(taken.map(({ detail }) => detail['word'])).toEqual(words);
  });

  it.each([
    ['no source', { Source: undefined }, 'InvalidArgument', /Source is a required argument/],
    ['an empty source', { Source: '' }, 'InvalidArgument', /Source is a required argument/],
    ['no detail type', { DetailType: undefined }, 'InvalidArgument', /DetailType is a required/],
    [
      'a detail type of 129 characters',
      { DetailType: 'x'.repeat(129) },
      'InvalidArgument',
      /128 characters/,
    ],
    ['no detail', { Detail: undefined }, 'InvalidArgument', /Detail is a required argument/],
    ['incomplete JSON as the detail', { Detail: '{' }, 'MalformedDetail', /malformed/],
    ['a list as the detail', { Detail: '[]' }, 'MalformedDetail', /malformed/],
    ['null as the detail', { Detail: 'null' }, 'MalformedDetail', /malformed/],
    ['a source of AWS', { Source: 'aws.s3' }, 'NotAuthorizedForSourceException', /source/],
  ])('rejects only the entry with %s', async (_, wrong, code, message) => {
    const { FailedEntryCount, Entries } = await put(good, { ...good, ...wrong }, good);
    expect(FailedEntryCount).toBe(1);
    expect(Entries).toEqual([
      { EventId: expect.any(String) },
      { ErrorCode: code, ErrorMessage: expect.stringMatching(message) },
      { EventId: expect.any(String) },
    ]);
    expect(taken.map(({ id }) => id)).toEqual([Entries![0]!.EventId, Entries![2]!.EventId]);
  });

  it.each([
    ['no entries', [], /greater than or equal to 1/],
    ['eleven entries', Array.from({ length: 11 }, () => good), /less than or equal to 10/],
    [
      'more than 1 MB',
      Array.from({ length: 2 }, () => ({ ...good, Detail: `{"x":"${'x'.repeat(600_000)}"}` })),
      /over the limit/,
    ],
    [
      'far more than 1 MB',
      [{ ...good, Detail: `{"x":"${'x'.repeat(9_000_000)}"}` }],
      /over the limit/,
    ],
  ])('rejects a request with %s', async (_, entries, message) => {
    expect(await refusal(put(...entries))).toEqual({
      name: 'ValidationException',
      message: expect.stringMatching(message),
      status: 400,
    });
    expect(taken).toEqual([]);
  });

  it('rejects every operation except PutEvents', async () => {
    expect(await refusal(client.send(new ListEventBusesCommand({})))).toMatchObject({
      name: 'UnknownOperationException',
      status: 400,
    });
  });

  it.each(['', 'not JSON', '1', '{"Entries":{}}', '{"Entries":[{"Source":1}]}'])(
    'rejects the body %j',
    async (body) => {
      const answer = await fetch(listening.url, {
        method: 'POST',
        headers: { 'x-amz-target': 'AWSEvents.PutEvents' },
        body,
      });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ __type: 'SerializationException' });
    },
  );

  it('does not acknowledge events that could not be stored', async () => {
    failure = new Error('the disk is full');
    expect(await refusal(put(good))).toMatchObject({ name: 'InternalException', status: 500 });
  });
});
