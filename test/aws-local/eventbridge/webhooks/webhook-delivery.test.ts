import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Outbox } from '../../../../src/aws-local/eventbridge/webhooks/outbox.ts';
import type { Post, WebhookRequest } from '../../../../src/aws-local/eventbridge/webhooks/post.ts';
import {
  maximumConcurrentRequests,
  WebhookDelivery,
} from '../../../../src/aws-local/eventbridge/webhooks/webhook-delivery.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { signatureOf } from '../../../support/service/webhook-receiver.ts';

const webhook = 'https://example.com/hooks/very-secret?token=1';
const secret = `whsec_${Buffer.alloc(32, 'k').toString('base64')}`;
const hours = 60 * 60_000;

let clock: ManualClock;
let outbox: Outbox;
let deliveries: WebhookDelivery;
let logged: string[];
/** Each request, with its body and the time when it was sent. */
let posted: { body: string; at: number; request: WebhookRequest }[];
/**
 * The webhook. Resolves with the reason why a request failed, or with undefined if it succeeded. Never settles if the
 * webhook does not respond.
 */
let answer: (body: string) => Promise<string | undefined>;

beforeEach(() => {
  clock = new ManualClock();
  outbox = new Outbox(null, [webhook]);
  logged = [];
  posted = [];
  answer = () => Promise.resolve(undefined);
  const began = clock.now();
  const post: Post = (url, request, signal) => {
    expect(url).toBe(webhook);
    posted.push({ body: request.body, at: clock.now() - began, request });
    const { promise, resolve } = Promise.withResolvers<string>();
    signal.addEventListener('abort', () => resolve((signal.reason as Error).message));
    return Promise.race([answer(request.body), promise]);
  };
  const random = { fraction: () => 0.1234, uuid: () => '' };
  const log = (line: string) => void logged.push(line);
  deliveries = new WebhookDelivery({
    webhook,
    secret,
    userAgent: 'Sender/1',
    outbox,
    post,
    clock,
    random,
    log,
  });
});
afterEach(async () => {
  await clock.runUntil(deliveries.stop());
  outbox[Symbol.dispose]();
});

const put = async (...bodies: string[]) => {
  outbox.put(
    bodies.map((body) => ({ id: `msg_${body}`, lane: body[0]!, body })),
    clock.now(),
  );
  deliveries.notify();
  await clock.settle();
};
const bodies = () => posted.map(({ body }) => body);
const never = new Promise<undefined>(() => undefined);

describe('WebhookDelivery', () => {
  it('signs each request with the time of the attempt', async () => {
    answer = () => Promise.resolve(posted.length === 1 ? 'it returned status 500' : undefined);
    await put('a1');
    await clock.advance(2_000);
    const [first, second] = posted.map(({ request }) => request);
    for (const request of [first!, second!]) {
      expect(request.headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'Sender/1',
        'webhook-id': 'msg_a1',
        'webhook-signature': signatureOf(request, secret),
      });
    }
    const [one, two] = posted.map(({ request }) => Number(request.headers['webhook-timestamp']));
    expect(one).toBe(Date.UTC(2026, 0, 1) / 1000);
    expect(two).toBeGreaterThanOrEqual(one!);
    expect(bodies()).toEqual(['a1', 'a1']);
  });

  it('keeps the order of a lane without blocking other lanes', async () => {
    let broken = true;
    answer = (body) =>
      Promise.resolve(body === 'a1' && broken ? 'it returned status 500' : undefined);
    await put('a1', 'a2', 'b1', 'a3', 'b2');
    expect(bodies()).toEqual(['a1', 'b1', 'b2']);
    await clock.advance(10_000);
    expect(bodies().filter((body) => body.startsWith('a'))).not.toContain('a2');
    broken = false;
    posted = [];
    await clock.advance(10 * 60_000);
    expect(bodies()).toEqual(['a1', 'a2', 'a3']);
  });

  it('doubles the maximum wait between retries, from one second to five minutes', async () => {
    answer = () => Promise.resolve('it returned status 500');
    await put('a1');
    await clock.advance(hours);
    const pauses = posted.slice(1).map(({ at }, i) => at - posted[i]!.at);
    // With the random value of these tests, each wait is 56.17% of its maximum.
    expect(pauses.slice(0, 4)).toEqual([562, 1_124, 2_247, 4_494]);
    expect(pauses.at(-1)).toBe(168_510);
  });

  it('retries within the scheduled delay even if the clock is set back during the delay', async () => {
    answer = () => Promise.resolve(posted.length === 1 ? 'it returned status 500' : undefined);
    await put('a1');
    clock.setBack(24 * hours);
    await clock.advance(10_000);
    expect(bodies()).toEqual(['a1', 'a1']);
  });

  it('drops a message after a day of failures, logs the loss, and continues with the lane', async () => {
    answer = (body) => Promise.resolve(body === 'a1' ? 'it returned status 500' : undefined);
    await put('a1');
    await clock.advance(23 * hours);
    await put('a2');
    expect(bodies()).not.toContain('a2');
    expect(logged.join()).not.toContain('dropped');
    await clock.advance(2 * hours);
    expect(logged.at(-1)).toMatch(/example\.com.*msg_a1.*dropped: it returned status 500$/);
    expect(bodies().at(-1)).toBe('a2');
    const tried = posted.length;
    await clock.advance(2 * hours);
    expect(posted).toHaveLength(tried);
  });

  it('logs failures at most once a minute, without secrets', async () => {
    answer = () => Promise.resolve('it returned status 500');
    await put('a1', 'b1', 'c1');
    await clock.advance(30_000);
    expect(logged).toEqual([
      'the webhook https://example.com did not accept a notification; retrying: it returned status 500',
    ]);
    await clock.advance(hours);
    expect(logged.length).toBeGreaterThan(1);
    expect(logged.length).toBeLessThanOrEqual(61);
    expect(logged.join()).not.toMatch(/very-secret|token/);
  });

  it('limits the number of concurrent requests to a webhook', async () => {
    const waiting: (() => void)[] = [];
    answer = () => new Promise((resolve) => waiting.push(() => resolve(undefined)));
    const all = Array.from({ length: maximumConcurrentRequests + 5 }, (_, i) =>
      String.fromCodePoint(97 + i),
    );
    await put(...all);
    expect(posted).toHaveLength(maximumConcurrentRequests);
    waiting.shift()!();
    await clock.settle();
    expect(posted).toHaveLength(maximumConcurrentRequests + 1);
    for (let done = waiting.shift(); done; done = waiting.shift()) {
      done();
      await clock.settle();
    }
    expect(bodies().toSorted()).toEqual(all);
  });

  it('treats a request without a response as failed after a timeout', async () => {
    answer = () => (posted.length === 1 ? never : Promise.resolve(undefined));
    await put('a1');
    await clock.advance(60_000);
    expect(bodies()).toEqual(['a1', 'a1']);
    expect(logged).toEqual([expect.stringContaining('no response within 20 s')]);
  });

  it.each([
    ['a delivery', undefined, 'settle', ['a1', 'a2']],
    ['a failure', 'it returned status 500', 'retry', ['a1', 'a1', 'a2']],
  ] as const)(
    'continues with the lane after the result of %s could not be stored, for example on a full disk',
    async (_what, reason, method, expected) => {
      answer = () => Promise.resolve(posted.length === 1 ? reason : undefined);
      const full = vi.spyOn(outbox, method).mockImplementation(() => {
        throw new Error('database or disk is full');
      });
      await put('a1', 'a2');
      await clock.advance(60_000);
      expect(bodies()).toEqual(['a1']);
      expect(logged).toContain(
        'cannot store the delivery result of msg_a1; retrying: database or disk is full',
      );
      full.mockRestore();
      await clock.advance(60_000);
      expect(bodies()).toEqual(expected);
    },
  );

  it('waits for requests in flight when it stops, and starts no new requests', async () => {
    const answered = Promise.withResolvers<undefined>();
    answer = () => answered.promise;
    await put('a1', 'a2');
    const stopped = deliveries.stop();
    await clock.settle();
    answered.resolve(undefined);
    await stopped;
    expect(bodies()).toEqual(['a1']);
    expect(outbox.takeNext(webhook, clock.now())).toMatchObject({ body: 'a2' });
  });

  it('stops even if a webhook does not respond, and does not record the request as failed', async () => {
    answer = () => never;
    await put('a1');
    await clock.runUntil(deliveries.stop());
    expect(logged).toEqual([]);
    expect(outbox.nextDue(webhook)).toBeUndefined();
  });
});
