import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { httpPost } from '../../../../src/aws-local/eventbridge/webhooks/post.ts';
import { WebhookReceiver } from '../../../support/service/webhook-receiver.ts';

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
afterAll(() => receiver[Symbol.asyncDispose]());
beforeEach(() => {
  receiver.requests.length = 0;
});

const request = { headers: { 'webhook-id': 'msg_1' }, body: '{"say":"ü"}' };
const goingOn = new AbortController().signal;

describe('httpPost', () => {
  it.each([200, 201, 202, 204])('treats status %d as success', async (status) => {
    receiver.answer = () => status;
    expect(await httpPost(receiver.url, request, goingOn)).toBeUndefined();
    expect(receiver.requests).toMatchObject([request]);
  });

  it.each([301, 307, 400, 404, 410, 429, 500, 503])(
    'treats status %d as a failure',
    async (status) => {
      receiver.answer = () => status;
      expect(await httpPost(receiver.url, request, goingOn)).toBe(`it returned status ${status}`);
      // If the client followed a redirect with a second request, the test would fail.
      expect(receiver.requests).toHaveLength(1);
    },
  );

  it('returns the reason if the connection fails', async () => {
    const gone = await WebhookReceiver.start();
    const { url } = gone;
    await gone[Symbol.asyncDispose]();
    expect(await httpPost(url, request, goingOn)).toContain('ECONNREFUSED');
  });

  it('returns the reason of the abort when the signal aborts', async () => {
    const late = new AbortController();
    const answered = Promise.withResolvers<number>();
    receiver.answer = () => {
      late.abort(new Error('too late'));
      return answered.promise;
    };
    expect(await httpPost(receiver.url, request, late.signal)).toBe('too late');
    answered.resolve(204);
  });
});
