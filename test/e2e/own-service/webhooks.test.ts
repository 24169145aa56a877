import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deployedFolder } from '../../support/service/deployed-folder.ts';
import { Service } from '../../support/service/service.ts';
import {
  type Received,
  signatureOf,
  WebhookReceiver,
} from '../../support/service/webhook-receiver.ts';

/** The events of a device that is registered and activates a service. */
const activation = (transactionid: string) =>
  [
    { type: 'account.created' },
    { type: 'activation.requested', data: { service: 'A', token: 'T' } },
    { type: 'entitlement.requested', data: { service: 'A', token: 'T' } },
  ].map((event, i) => ({ ...event, id: `e${i}`, modelid: 'activation', transactionid }));

/** The distinct notifications of a device, in the order in which the receiver first accepted them. */
function notificationsOf({ taken }: WebhookReceiver, transaction: string) {
  const ofDevice = taken.filter(({ event }) => event.detail['transaction'] === transaction);
  const first = new Map(ofDevice.toReversed().map((each) => [each.headers['webhook-id'], each]));
  return ofDevice
    .filter((each) => first.get(each.headers['webhook-id']) === each)
    .map(({ event: { 'detail-type': type, detail } }) => ({ type, ...detail }) as SentNotification);
}

interface SentNotification {
  readonly type: string;
  readonly id: string;
  readonly version: number;
  readonly from?: string | null;
  readonly status: string;
  readonly milestone?: string;
}

const complete = (receiver: WebhookReceiver, transaction: string) =>
  notificationsOf(receiver, transaction).some(({ milestone }) => milestone === 'activated');

function expectAllNotifications(receiver: WebhookReceiver, transaction: string): void {
  const all = notificationsOf(receiver, transaction);
  const statuses = all.filter(({ type }) => type === 'StatusChanged');
  expect(statuses.map(({ from, status }) => [from, status])).toEqual([
    [null, 'New'],
    ['New', 'Waiting'],
    ['Waiting', 'Active'],
  ]);
  const milestones = all.filter(({ type }) => type === 'MilestoneReached');
  expect(milestones.map(({ milestone }) => milestone)).toEqual([
    ...['created', 'requested', 'activated'],
  ]);
  // Ids have the form model/transaction/version.index.
  const places = all.map(({ id, version }) => version * 100 + Number(id.split('.').at(-1)));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
}

const expectSigned = (requests: readonly Received[], secret: string) => {
  for (const request of requests)
    expect(request.headers['webhook-signature']).toBe(signatureOf(request, secret));
};

describe('webhooks', () => {
  it('receive the signed notifications of each instance in order', async () => {
    await using receiver = await WebhookReceiver.start();
    const secret = `whsec_${Buffer.alloc(32, 's').toString('base64')}`;
    const service = await Service.start({
      MILEPOST_DATA: await deployedFolder(),
      MILEPOST_WEBHOOK: receiver.url,
      MILEPOST_WEBHOOK_SECRET: secret,
    });
    const devices = Array.from({ length: 10 }, (_, i) => `HOOK-${i}.ü`);
    await service.post(...devices.flatMap(activation));
    await receiver.until(() => devices.every((device) => complete(receiver, device)));
    for (const device of devices) expectAllNotifications(receiver, device);
    expectSigned(receiver.requests, secret);
    expect(await service.stop()).toMatchObject({ status: 0 });
  });

  it('receive undelivered notifications after kill -9', async () => {
    const data = await deployedFolder();
    await using receiver = await WebhookReceiver.start();
    const variables = { MILEPOST_DATA: data, MILEPOST_WEBHOOK: receiver.url };
    receiver.answer = ({ event }) => (event.detail['transaction'] === 'GOOD' ? 204 : 500);
    const first = await Service.start(variables);
    await first.post(...activation('BAD'), ...activation('GOOD'));
    // Compare the order for each instance, because a failed delivery delays only notifications of the same instance.
    const refused = () => receiver.requests.length - receiver.taken.length;
    await receiver.until(() => complete(receiver, 'GOOD') && refused() >= 2);
    const { stderr } = await first.stop('SIGKILL');
    expect(notificationsOf(receiver, 'BAD')).toEqual([]);
    const secretFile = join(data, 'webhook-secret');
    expect(stderr).toContain(secretFile);
    expect(stderr).toContain('it returned status 500');

    receiver.answer = () => 204;
    const second = await Service.start(variables);
    await receiver.until(() => complete(receiver, 'BAD'));
    for (const device of ['BAD', 'GOOD']) expectAllNotifications(receiver, device);
    expectSigned(receiver.requests, (await readFile(secretFile, 'utf8')).trim());
    expect(await second.stop()).toMatchObject({ status: 0 });
  }, 60_000);

  it('must have http or https URLs, or the service does not start', async () => {
    const { status, stdout, stderr } = await Service.run({ MILEPOST_WEBHOOK: 'example' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(
      'MILEPOST_WEBHOOK must contain only http or https URLs; got "example"\n',
    );
  });
});
