import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Lambda, lambda } from '../../../src/aws/client/lambda.ts';
import { LambdaModelInvoker } from '../../../src/aws/functions/lambda-model-invoker.ts';
import { createInvokeServer } from '../../../src/aws-local/lambda/invoke-server.ts';
import type { LambdaHost } from '../../../src/aws-local/lambda/lambda-host.ts';
import { listen, type RunningServer } from '../../../src/aws-local/server/listen.ts';
import { headOf, pastInstanceOf } from '../../../src/core/history/commit.ts';
import type { TransitionRequest } from '../../../src/model-runtime/protocol.ts';
import { define, hostOf } from '../../aws-local/lambda/bundles.ts';
import { commitOf } from '../../support/data/commits.ts';
import { placed } from '../../support/data/events.ts';
import { serviceAt } from '../../support/service/service-at.ts';

function clientOf(endpoint: string): Lambda {
  const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };
  return lambda({ ...serviceAt(endpoint), clock });
}

const request: TransitionRequest = { op: 'transition', events: [placed(1), placed(2)] };

describe('LambdaModelInvoker with a real function', () => {
  const source = `
    export const handler = async ({ op, events }) => {
      const [{ event, position }] = events;
      if (event.type === 'thrown') throw new RangeError('out of range');
      if (event.type === 'exited') process.exit(1);
      if (event.type === 'huge') return 'x'.repeat(7_000_000);
      return { outcomes: [
        { outcome: 'applied', note: 'not asked for' },
        { outcome: 'duplicate' },
        { outcome: 'rejected', reason: [op, event.transaction, position.sequence].join(' ') },
        { outcome: 'failed', fault: 'model', reason: 'no' },
        { outcome: 'failed', fault: 'instance', reason: 'too large' },
        { outcome: 'failed', fault: 'service', reason: '' },
      ] };
    };`;
  let host: LambdaHost;
  let server: RunningServer;
  let client: Lambda;
  let invoker: LambdaModelInvoker;
  beforeAll(async () => {
    host = hostOf([
      await define('model', source),
      await define('stopped', source, { reservedConcurrency: 0 }),
    ]);
    server = await listen(createInvokeServer(host), 0);
    client = clientOf(server.url);
    invoker = new LambdaModelInvoker(client);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  it("returns the function's response, with every kind of outcome in order", async () => {
    const event = placed(7, { transaction: 'naïve 🚲' });
    expect(await invoker.transition('model', { op: 'transition', events: [event] })).toStrictEqual({
      kind: 'answered',
      answer: {
        outcomes: [
          { outcome: 'applied' },
          { outcome: 'duplicate' },
          { outcome: 'rejected', reason: `transition naïve 🚲 ${event.position.sequence}` },
          { outcome: 'failed', fault: 'model', reason: 'no' },
          { outcome: 'failed', fault: 'instance', reason: 'too large' },
          { outcome: 'failed', fault: 'service', reason: '' },
        ],
      },
    });
  });

  it.each([
    ['throws', { type: 'thrown' }, /RangeError out of range/],
    ['exits', { type: 'exited' }, /exit/i],
    ['returns more than Lambda allows', { type: 'huge' }, /size|large/i],
  ])('returns `failed` if the function %s', async (_, event, reason) => {
    const answer = await invoker.transition('model', {
      op: 'transition',
      events: [placed(1, event)],
    });
    expect(answer).toEqual({ kind: 'failed', reason: expect.stringMatching(reason) });
  });

  it('returns `failed` if the function does not exist', async () => {
    const answer = await invoker.transition('gone', request);
    expect(answer).toEqual({ kind: 'failed', reason: expect.stringContaining('gone') });
  });

  it.each([5.5, 7])('returns `too-large` for a payload of %d MB', async (megabytes) => {
    const events = [placed(1, { data: 'x'.repeat(megabytes * 1024 * 1024) })];
    const answer = await invoker.transition('model', { op: 'transition', events });
    expect(answer).toEqual({ kind: 'too-large', reason: expect.stringContaining('too large') });
  });

  it('returns `unavailable` if the function is throttled', async () => {
    const answer = await invoker.transition('stopped', request);
    expect(answer).toEqual({ kind: 'unavailable', reason: expect.stringMatching(/rate|throttl/i) });
  });
});

describe('LambdaModelInvoker with a fake Lambda', () => {
  let server: Server | undefined;
  let client: Lambda | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  async function invoker(answer: (response: ServerResponse) => void) {
    server = createServer((incoming, response) => {
      incoming.resume().once('end', () => answer(response));
    });
    client = clientOf((await listen(server, 0)).url);
    return new LambdaModelInvoker(client);
  }

  const invoke = async (answer: (response: ServerResponse) => void) =>
    (await invoker(answer)).transition('model', request);

  const refusal = (status: number, type: string) => (response: ServerResponse) => {
    response.writeHead(status, { 'x-amzn-errortype': type });
    response.end(JSON.stringify({ Message: `because of ${type}` }));
  };
  const payload =
    (body: string, headers: Record<string, string> = {}) =>
    (response: ServerResponse) => {
      response.writeHead(200, headers);
      response.end(body);
    };

  it('validates and returns instances that were folded up to an event time', async () => {
    const asked = {
      op: 'fold-until',
      transaction: 'T1',
      eventTime: '2026-01-01T00:00:00.000Z',
    } as const;
    const answering = async (answer: object) =>
      (await invoker(payload(JSON.stringify(answer)))).foldUntil('model', asked);
    const instance = pastInstanceOf(headOf(commitOf({ model: 'm', transaction: 'T1' }, 3)));
    for (const answer of [{ instance }, { instance: null }, { failure: 'no' }])
      expect(await answering(answer)).toEqual({ kind: 'answered', answer });
    const { state: _, ...incomplete } = instance;
    expect(await answering({ instance: incomplete })).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('returned no valid instance'),
    });
  });

  it('validates and returns the timelines of deadlines', async () => {
    const now = '2026-01-02T00:00:00.000Z';
    const asked = { op: 'deadlines', transaction: 'T1', now } as const;
    const answering = async (answer: object) =>
      (await invoker(payload(JSON.stringify(answer)))).deadlines('model', asked);
    const timeline = { start: '2026-01-01T00:00:00.000Z', end: now, pauses: [], closed: [] };
    for (const answer of [{ deadlines: { paid: timeline } }, { failure: 'no' }])
      expect(await answering(answer)).toEqual({ kind: 'answered', answer });
    expect(await answering({ deadlines: { paid: { ...timeline, end: 1 } } })).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('returned no valid deadlines'),
    });
  });

  it('validates and returns audits', async () => {
    const asked = { op: 'audit', model: 'm', transactions: ['T1'] } as const;
    const found = { transaction: 'T1', version: 1, row: 'right', replayed: null };
    const audits = [{ ...found, isAsFolded: true, skipped: false, error: null }];
    const answering = async (answer: object) =>
      (await invoker(payload(JSON.stringify(answer)))).audit('model', asked);
    expect(await answering({ audits })).toEqual({ kind: 'answered', answer: { audits } });
    expect(await answering({ audits: [found] })).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('returned no valid audits'),
    });
  });

  it('returns `unavailable` if AWS is unavailable to the function', async () => {
    const asked = { op: 'forget', transaction: 'T1' } as const;
    const answer = payload(JSON.stringify({ unavailable: 'throttled' }));
    expect(await (await invoker(answer)).forget('model', asked)).toEqual({
      kind: 'unavailable',
      reason: 'throttled',
    });
  });

  it.each([
    [404, 'ResourceNotFoundException'],
    [502, 'InvalidRuntimeException'],
    [502, 'InvalidZipFileException'],
  ])('returns `failed` for the permanent error %i %s', async (status, type) => {
    const reason = `because of ${type}`;
    expect(await invoke(refusal(status, type))).toEqual({ kind: 'failed', reason });
  });

  it.each(['RequestEntityTooLargeException', 'RequestTooLargeException'])(
    'returns `too-large` for status 413 with the name %s',
    async (type) => {
      const reason = `because of ${type}`;
      expect(await invoke(refusal(413, type))).toEqual({ kind: 'too-large', reason });
    },
  );

  it.each([
    [429, 'TooManyRequestsException'],
    [403, 'AccessDeniedException'],
    [409, 'ResourceConflictException'],
    [500, 'ServiceException'],
    [502, 'ResourceNotReadyException'],
    [502, 'SubnetIPAddressLimitReachedException'],
    [503, 'ServiceUnavailable'],
  ])('returns `unavailable` for the temporary error %i %s', async (status, type) => {
    const reason = `because of ${type}`;
    expect(await invoke(refusal(status, type))).toEqual({ kind: 'unavailable', reason });
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['hangs up', (response) => response.destroy()],
    ['responds with HTML', (response) => response.writeHead(503).end('<html>')],
  ])('returns `unavailable` if the server %s', async (_, answer) => {
    expect(await invoke(answer)).toEqual({ kind: 'unavailable', reason: expect.any(String) });
  });

  it('returns `unavailable` if no server listens', async () => {
    const nothing = await listen(createServer(), 0);
    await nothing[Symbol.asyncDispose]();
    client = clientOf(nothing.url);
    const answer = await new LambdaModelInvoker(client).transition('model', request);
    expect(answer).toEqual({
      kind: 'unavailable',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it.each([
    ['nothing', ''],
    ['null', 'null'],
    ['HTML', '<html>'],
    ['a different object', '{"statusCode":200}'],
    ['a list', '[{"outcome":"applied"}]'],
    ['an unknown outcome', '{"outcomes":[{"outcome":"applied"},{"outcome":"done"}]}'],
    ['a rejection without a reason', '{"outcomes":[{"outcome":"rejected"}]}'],
    ['a failure without a fault', '{"outcomes":[{"outcome":"failed","reason":"x"}]}'],
  ])('returns `failed` if the function returns %s', async (_, body) => {
    const said = await invoke(payload(body));
    expect(said).toEqual({ kind: 'failed', reason: expect.stringContaining(body.slice(0, 200)) });
  });

  it.each([
    ['an error', '{"errorType":"Error","errorMessage":"boom"}', 'Error boom'],
    ['an error without a type', '{"errorMessage":"timed out"}', 'timed out'],
    ['null', 'null', 'null'],
    ['plain text', 'Task timed out', 'Task timed out'],
  ])('returns `failed` if the function fails with %s', async (_, body, reason) => {
    const said = await invoke(payload(body, { 'x-amz-function-error': 'Unhandled' }));
    expect(said).toEqual({ kind: 'failed', reason: expect.stringContaining(reason) });
  });

  it('truncates an invalid response in the reason', async () => {
    const said = await invoke(payload('x'.repeat(100_000)));
    expect(said).toEqual({ kind: 'failed', reason: expect.stringMatching(/^.{50,400}$/) });
  });
});
