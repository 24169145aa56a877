import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Notification } from '../../../src/core/effects/notification.ts';
import {
  packNotifications,
  readNotificationRecord,
} from '../../../src/core/effects/notification-record.ts';
import { notificationOf } from '../../support/data/notifications.ts';

const read = (data: Uint8Array) => {
  const answer = readNotificationRecord(data);
  if ('flaw' in answer) throw new Error(answer.flaw);
  return answer.record;
};
const flawOf = (content: unknown) => {
  const answer = readNotificationRecord(
    typeof content === 'string' ? Buffer.from(content) : Buffer.from(JSON.stringify(content)),
  );
  return 'flaw' in answer ? answer.flaw : undefined;
};
const idsIn = (notifications: readonly Notification[]) =>
  packNotifications(notifications).map(({ data }) =>
    read(data).notifications.map(({ detail }) => detail['id']),
  );

describe('a record of the notification stream', () => {
  it('contains the instance and its notifications in the format of the event bus', () => {
    const notification = notificationOf('O-1', 1);
    const [{ data, partitionKey, notifications } = { data: Buffer.of() }] = packNotifications([
      notification,
    ]);
    expect(JSON.parse(Buffer.from(data).toString())).toEqual({
      model: 'orders',
      transaction: 'O-1',
      notifications: [
        {
          source: 'milepost',
          'detail-type': 'StatusChanged',
          time: notification.at,
          detail: notification.detail,
        },
      ],
    });
    expect({ partitionKey, notifications }).toEqual({
      partitionKey: 'O-1',
      notifications: [notification],
    });
  });

  it('contains the notifications of one instance, in order', () => {
    const notifications = [
      notificationOf('A', 1),
      notificationOf('B', 1),
      notificationOf('A', 2),
      notificationOf('B', 2),
    ];
    expect(idsIn(notifications)).toEqual([
      ['orders/A/1.0', 'orders/A/2.0'],
      ['orders/B/1.0', 'orders/B/2.0'],
    ]);
  });

  it('contains at most 50 notifications, and fewer if they are large', () => {
    const many = Array.from({ length: 120 }, (_, count) => notificationOf('A', 1, { count }));
    expect(packNotifications(many).map(({ notifications }) => notifications.length)).toEqual([
      50, 50, 20,
    ]);
    const large = [1, 2, 3].map((version) => notificationOf('A', version, { bytes: 100 * 1024 }));
    expect(packNotifications(large).map(({ notifications }) => notifications.length)).toEqual([
      2, 1,
    ]);
  });

  it('has a valid partition key even for a very long transaction id', () => {
    const [pack] = packNotifications([notificationOf('é'.repeat(1_000), 1)]);
    expect(pack!.partitionKey).toHaveLength(64);
  });

  it('preserves every notification and the order within each instance', () => {
    const one = fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.integer({ min: 0, max: 90_000 }));
    fc.assert(
      fc.property(fc.array(one, { maxLength: 80 }), (drawn) => {
        const notifications = drawn.map(([name, bytes], n) => notificationOf(name, n, { bytes }));
        const packs = packNotifications(notifications);
        for (const name of ['A', 'B', 'C']) {
          const of = (some: readonly Notification[]) =>
            some.filter(({ instance }) => instance.transaction === name).map(({ id }) => id);
          expect(of(packs.flatMap((pack) => pack.notifications))).toEqual(of(notifications));
        }
        for (const { data, notifications: packed } of packs)
          expect(read(data).notifications.map(({ detail }) => detail)).toEqual(
            packed.map(({ detail }) => detail),
          );
      }),
    );
  });
});

describe('a record from an unknown producer', () => {
  const good = read(packNotifications([notificationOf('A', 1)])[0]!.data);
  const [notification] = good.notifications;
  const having = (change: object) =>
    flawOf({ ...good, notifications: [{ ...notification, ...change }] });

  it.each([
    ['not UTF-8', Buffer.of(0xff, 0xfe), /^not JSON: /],
    ['not JSON', Buffer.from('{'), /^not JSON: /],
  ])('is reported as invalid if it is %s', (_, data, flaw) => {
    expect(readNotificationRecord(data)).toEqual({ flaw: expect.stringMatching(flaw) });
  });

  it.each([
    ['is null', null, /Expected Object/],
    ['is an event', { id: 'e1', type: 't', modelid: 'm', transactionid: 't' }, /^model: /],
    ['has an empty list of notifications', { ...good, notifications: [] }, /^notifications: /],
  ])('is reported as invalid, with the reason, if it %s', (_, content, flaw) => {
    expect(flawOf(content)).toMatch(flaw);
  });

  it.each([
    ['another source', { source: 'aws.ec2' }, 'notifications.0.source: '],
    ['no type', { 'detail-type': '' }, 'notifications.0.detail-type: '],
    ['an invalid time', { time: 'yesterday' }, 'notifications.0.time: '],
    [
      'a detail without an id',
      { detail: {} },
      'notifications.0.detail: must be an object with an `id`',
    ],
  ])('is reported as invalid, with the reason, if a notification has %s', (_, change, flaw) => {
    expect(having(change)).toContain(flaw);
  });

  it('is either decoded or reported as invalid, whatever its content', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((json) => Buffer.from(json)),
        ),
        (data) => {
          expect(Object.keys(readNotificationRecord(data))).toHaveLength(1);
        },
      ),
    );
  });
});
