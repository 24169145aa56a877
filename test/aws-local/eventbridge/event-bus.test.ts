import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventBridge } from '../../../src/aws/client/eventbridge.ts';
import { EventBridgeBus } from '../../../src/aws/notifications/eventbridge-bus.ts';
import { startEventBus } from '../../../src/aws-local/eventbridge/event-bus.ts';
import type { RunningServer } from '../../../src/aws-local/server/listen.ts';
import { StartError } from '../../../src/aws-local/server/start-error.ts';
import { systemClock } from '../../../src/common/clock.ts';
import { Deadline } from '../../../src/common/deadline.ts';
import type { Notification } from '../../../src/core/effects/notification.ts';
import { toNotificationEvent } from '../../../src/core/effects/notification-record.ts';
import { identifyNotification } from '../../../src/local/running/identify-notification.ts';
import { serviceAt } from '../../support/service/service-at.ts';
import { signatureOf, WebhookReceiver } from '../../support/service/webhook-receiver.ts';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
let root: string;
let folder: { outbox: string; webhookSecret: string };
let receiver: WebhookReceiver;
let logged: string[];
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'milepost-event-bus-'));
  folder = { outbox: join(root, 'outbox.db'), webhookSecret: join(root, 'webhook-secret') };
  receiver = await WebhookReceiver.start();
  logged = [];
});
afterEach(async () => {
  await receiver[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

const sender = { userAgent: 'Milepost', identify: identifyNotification };
const start = (urls: readonly string[], given: string | null = secret) =>
  startEventBus({
    webhooks: { urls, secret: given, ...sender },
    files: folder,
    portVariable: 'MILEPOST_EVENTBRIDGE_PORT',
    ports: [0],
    targets: async () => {},
    log: (line) => void logged.push(line),
  });

const never = Deadline.none(systemClock);
const clientOf = (bus: RunningServer) => eventBridge(serviceAt(bus.url));

async function publish(bus: RunningServer, ...notifications: Notification[]): Promise<void> {
  const all = notifications.map((each) => ({
    instance: each.instance,
    notification: toNotificationEvent(each),
  }));
  const answers = await new EventBridgeBus(clientOf(bus), 'bus').publish(all, never);
  for (const answer of answers) if ('error' in answer) throw answer.error;
}

const notification = (transaction: string, version: number): Notification => {
  const id = `orders/${transaction}/${version}.0`;
  const at = '2026-01-02T03:04:05.678Z';
  return {
    id,
    type: 'StatusChanged',
    instance: { model: 'orders', transaction },
    at,
    detail: { id, model: 'orders', transaction, version, at },
  };
};
const versions = (transaction: string) =>
  receiver.taken
    .filter(({ event }) => event.detail['transaction'] === transaction)
    .map(({ event }) => event.detail['version']);

describe('the embedded event bus', () => {
  it('uses a free port if its default port is in use, but fails to start if a configured port is in use', async () => {
    await using first = await start([]);
    const taken = Number(new URL(first.url).port);
    const options = {
      webhooks: { urls: [], secret: null, ...sender },
      files: folder,
      portVariable: 'MILEPOST_EVENTBRIDGE_PORT',
      targets: async () => {},
    };
    const log = () => {};
    await using second = await startEventBus({ ...options, log, ports: [taken, 0] });
    expect(second.url).not.toBe(first.url);
    await expect(startEventBus({ ...options, log, ports: [taken] })).rejects.toThrow(
      `port ${taken} is already in use`,
    );
  });

  it("does not acknowledge events that a rule's stream rejects", async () => {
    const refused = { taken: false };
    await using bus = await startEventBus({
      webhooks: { urls: [receiver.url], secret, ...sender },
      files: folder,
      portVariable: 'MILEPOST_EVENTBRIDGE_PORT',
      ports: [0],
      targets: async () => {
        if (!refused.taken) throw new Error('the stream is gone');
      },
      log: () => {},
    });
    await expect(publish(bus, notification('A', 1))).rejects.toThrow('the stream is gone');
    refused.taken = true;
    await publish(bus, notification('A', 1));
    await receiver.until(() => receiver.taken.length === 1);
  });

  it('posts signed notifications to every webhook, in order within each instance', async () => {
    await using other = await WebhookReceiver.start();
    await using bus = await start([receiver.url, other.url]);
    const numbers = Array.from({ length: 30 }, (_, i) => i + 1);
    await publish(bus, ...numbers.flatMap((i) => [notification('a.b/ü', i), notification('B', i)]));
    for (const each of [receiver, other]) await each.until(() => each.taken.length === 60);
    expect(versions('a.b/ü')).toEqual(numbers);
    expect(versions('B')).toEqual(numbers);
    const first = receiver.taken.find(({ event }) => event.detail['transaction'] === 'a.b/ü');
    expect(first!.event).toMatchObject({
      version: '0',
      source: 'milepost',
      'detail-type': 'StatusChanged',
      time: '2026-01-02T03:04:05Z',
      detail: notification('a.b/ü', 1).detail,
    });
    for (const received of [...receiver.taken, ...other.taken])
      expect(received.headers['webhook-signature']).toBe(signatureOf(received, secret));
    expect(first!.headers['webhook-id']).toMatch(/^msg_[\w-]{43}$/);
    expect(new Set(receiver.taken.map(({ headers }) => headers['webhook-id'])).size).toBe(60);
  });

  it('posts a repeated event only once', async () => {
    await using bus = await start([receiver.url]);
    await publish(bus, notification('A', 1));
    await publish(bus, notification('A', 1), notification('A', 2));
    await receiver.until(() => receiver.taken.length === 2);
    expect(versions('A')).toEqual([1, 2]);
  });

  it('posts every event that is not from Milepost, even if several such events are equal', async () => {
    await using bus = await start([receiver.url]);
    const entry = { Source: 'shop', DetailType: 'Sold', Detail: '{"id":"1"}' };
    await clientOf(bus).putEvents({ Entries: [entry, entry] });
    await receiver.until(() => receiver.taken.length === 2);
    expect(new Set(receiver.taken.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });

  it('delivers pending events after a restart', async () => {
    receiver.answer = () => 500;
    const first = await start([receiver.url]);
    await publish(first, notification('A', 1), notification('A', 2), notification('B', 1));
    await receiver.until(() => receiver.requests.length >= 2);
    await first[Symbol.asyncDispose]();

    receiver.answer = () => 204;
    await using _ = await start([receiver.url]);
    await receiver.until(() => receiver.taken.length === 3);
    expect(versions('A')).toEqual([1, 2]);
    const ids = receiver.requests
      .filter(({ event }) => event.detail['id'] === 'orders/A/1.0')
      .map(({ headers, event }) => `${String(headers['webhook-id'])} ${event.id}`);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(1);
  });

  it('drops events and stores no files if no webhook is configured', async () => {
    await using bus = await start([]);
    await publish(bus, notification('A', 1));
    expect(existsSync(folder.outbox)).toBe(false);
    expect(existsSync(folder.webhookSecret)).toBe(false);
    expect(logged).toEqual([]);
  });

  it('generates a secret by default, stores it without a newline in a file that only the owner can read, and logs the path of the file', async () => {
    const first = await start([receiver.url], null);
    await first[Symbol.asyncDispose]();
    const made = readFileSync(folder.webhookSecret, 'utf8');
    expect(made).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(statSync(folder.webhookSecret).mode & 0o777).toBe(0o600);
    expect(logged).toEqual([expect.stringContaining(folder.webhookSecret)]);
    expect(logged.join()).not.toContain(made);

    await using second = await start([receiver.url], null);
    await publish(second, notification('A', 1));
    await receiver.until(() => receiver.taken.length === 1);
    const [received] = receiver.taken;
    expect(received!.headers['webhook-signature']).toBe(signatureOf(received!, made));
  });

  it('does not start with an invalid secret', async () => {
    writeFileSync(folder.webhookSecret, 'whsec_short');
    await expect(start([receiver.url], null)).rejects.toThrow(StartError);
    await expect(start([receiver.url], null)).rejects.toThrow(
      `${folder.webhookSecret} contains no valid secret`,
    );
  });
});
