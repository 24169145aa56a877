import { beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/aws/client/transport/service-error.ts';
import type { Notification } from '../../src/core/effects/notification.ts';
import { readNotificationRecord } from '../../src/core/effects/notification-record.ts';
import { allDeadLetters } from '../support/aws-in-memory/stores-in-memory.ts';
import { notificationOf } from '../support/data/notifications.ts';
import { NotificationPipeline } from '../support/service/notification-pipeline.ts';

const of = (transaction: string, versions: number, from = 1) =>
  Array.from({ length: versions }, (_, n) => notificationOf(transaction, from + n));
const ids = (notifications: readonly Notification[]) => notifications.map(({ id }) => id);
type Entries = Parameters<NotificationPipeline['answer']>[0];
const isOf = (id: string) => (entry: Entries[number]) => entry.Detail!.includes(`"${id}"`);

let pipeline: NotificationPipeline;
beforeEach(() => {
  pipeline = new NotificationPipeline();
});

/**
 * Puts each notification on the stream in a separate record, and runs the publisher until all records are processed.
 */
async function publish(...notifications: readonly Notification[]): Promise<void> {
  for (const notification of notifications) await pipeline.notifier.publish([notification]);
  const source = await pipeline.start();
  await pipeline.clock.runUntil(source.waitUntilIdle());
}
const letters = () => allDeadLetters(pipeline.letters);

describe('the publisher', () => {
  it('puts notifications on the bus once, in order within each instance', async () => {
    const [a, b] = [of('A', 30), of('B', 30)];
    await publish(...a.flatMap((notification, n) => [notification, b[n]!]));
    expect(pipeline.publishedOf('A')).toEqual(ids(a));
    expect(pipeline.publishedOf('B')).toEqual(ids(b));
    expect(pipeline.published).toHaveLength(60);
  });

  describe('with a filter', () => {
    const late = (transaction: string, version: number): Notification => ({
      ...notificationOf(transaction, version),
      type: 'MilestoneLate',
    });
    const parcel: Notification = {
      ...late('C', 1),
      id: 'parcels/C/1.0',
      instance: { model: 'parcels', transaction: 'C' },
    };

    it('publishes only notifications of the given types, in order, and no notification twice', async () => {
      pipeline.filter = { types: ['MilestoneLate', 'InstanceDone'] };
      const [first, second] = [late('A', 2), late('A', 4)];
      await pipeline.notifier.publish([...of('A', 1), first, ...of('A', 1, 3), second]);
      await publish(...of('B', 3));
      expect(pipeline.published).toEqual([first.id, second.id]);
    });

    it('publishes only notifications of the given models', async () => {
      pipeline.filter = { models: ['parcels'] };
      await publish(...of('A', 2), parcel);
      expect(pipeline.published).toHaveLength(1);
      pipeline.filter = { models: ['parcels'], types: ['StatusChanged'] };
      await publish(parcel);
      expect(pipeline.published).toHaveLength(1);
    });

    it('still turns a record that is not a notification record into a dead letter', async () => {
      pipeline.filter = { types: ['MilestoneLate'] };
      pipeline.putRecord('A', Buffer.from('{"somebody":"else"}'));
      await publish(...of('A', 1));
      expect(await letters()).toHaveLength(1);
      expect(pipeline.published).toEqual([]);
    });
  });

  it('turns permanently rejected notifications into dead letters and continues with all instances', async () => {
    const refused = isOf('orders/A/2.0');
    pipeline.answer = async (entries) =>
      entries.map((entry) => (refused(entry) ? { ErrorCode: 'MalformedDetail' } : {}));
    const [a, b] = [of('A', 4), of('B', 4)];
    await publish(...a, ...b);
    expect(pipeline.publishedOf('A')).toEqual(ids(a).toSpliced(1, 1));
    expect(pipeline.publishedOf('B')).toEqual(ids(b));
    expect(await letters()).toMatchObject([
      {
        reason: expect.stringContaining('the bus rejected 1 of 1 notifications: MalformedDetail'),
        modelId: 'orders',
        transactionId: 'A',
        isNotification: true,
        parked: null,
      },
    ]);
    expect(pipeline.reasons).toEqual([]);
  });

  it('stores only the rejected notifications of a record as a dead letter, in a form that can be redriven', async () => {
    const refused = isOf('orders/A/2.0');
    const taking = pipeline.answer;
    pipeline.answer = async (entries) =>
      entries.map((entry) => (refused(entry) ? { ErrorCode: 'MalformedDetail' } : {}));
    await pipeline.notifier.publish(of('A', 3));
    await publish();
    const [letter] = await letters();
    expect(letter!.reason).toContain('rejected 1 of 3 notifications');
    expect(readNotificationRecord(letter!.raw)).toMatchObject({
      record: { transaction: 'A', notifications: [{ detail: { id: 'orders/A/2.0' } }] },
    });
    pipeline.answer = taking;
    pipeline.putRecord(letter!.partitionKey, letter!.raw);
    await publish();
    expect(pipeline.published).toEqual(['orders/A/1.0', 'orders/A/3.0', 'orders/A/2.0']);
  });

  it('turns a record that is not a notification record into a dead letter with its bytes', async () => {
    pipeline.putRecord('A', Buffer.from('{"somebody":"else"}'));
    pipeline.putRecord('A', Buffer.of(0xff));
    await publish(...of('A', 2));
    expect(pipeline.published).toEqual(['orders/A/1.0', 'orders/A/2.0']);
    expect((await letters()).map(({ reason }) => reason.split(':')[0])).toEqual([
      'not a notification',
      'not a notification',
    ]);
    expect(
      (await letters()).map(({ raw }) => Buffer.from(raw).toString('latin1')).toSorted(),
    ).toEqual(['{"somebody":"else"}', '\xff']);
  });

  it('leaves a record on the stream until its dead letter is stored', async () => {
    pipeline.lettersDatabase.interfere = () => {
      if (pipeline.reasons.length < 3) throw new Error('no table');
    };
    pipeline.putRecord('A', Buffer.from('nothing'));
    await publish(...of('B', 1));
    expect(await letters()).toHaveLength(1);
    expect(pipeline.reasons).toEqual(['no table', 'no table', 'no table']);
  });

  it('republishes notifications that a killed process might not have published', async () => {
    let deaths = 2;
    pipeline.afterRequest = () => {
      if (deaths-- > 0) throw new Error('killed');
    };
    const [a, b] = [of('A', 25), of('B', 25)];
    await publish(...a, ...b);
    expect(pipeline.publishedOf('A')).toEqual(ids(a));
    expect(pipeline.publishedOf('B')).toEqual(ids(b));
    expect(pipeline.published.length).toBeGreaterThan(50);
  });

  it('does not republish records that follow a failed record', async () => {
    let refusals = 8;
    const first = isOf('orders/A/1.0');
    pipeline.answer = async (entries) =>
      entries.map((entry) =>
        first(entry) && refusals-- > 0 ? { ErrorCode: 'InternalFailure' } : {},
      );
    for (const notification of [...of('A', 1), ...of('B', 5)])
      await pipeline.notifier.publish([notification]);
    const source = await pipeline.start(1);
    await pipeline.clock.runUntil(source.waitUntilIdle());
    expect(pipeline.reasons.length).toBeGreaterThan(0);
    expect(pipeline.publishedOf('A')).toEqual(['orders/A/1.0']);
    expect(pipeline.published).toHaveLength(6);
  });

  it('publishes a record of the maximum size in several invocations if the bus takes nine seconds per request', async () => {
    pipeline.answer = async (entries) => {
      await pipeline.clock.sleep(9_000);
      return entries.map(() => ({}));
    };
    const hot = Array.from({ length: 120 }, (_, count) => notificationOf('A', 1, { count }));
    await pipeline.notifier.publish(hot);
    await publish();
    expect(pipeline.publishedOf('A')).toEqual(ids(hot));
    expect(pipeline.reasons).toContain(
      'the deadline passed before the bus accepted the notification',
    );
  });

  it('returns before its timeout if the bus does not respond', async () => {
    const answers: number[] = [];
    const hanging = new Promise<never>(() => undefined);
    pipeline.answer = () => {
      answers.push(pipeline.clock.now());
      return answers.length === 1 ? hanging : Promise.reject(new ServiceError('Any', 'down', 500));
    };
    await pipeline.notifier.publish(of('A', 1));
    await pipeline.start();
    await pipeline.clock.advance(55_000);
    expect(pipeline.reasons[0]).toBe(
      'the deadline passed before the bus accepted the notification',
    );
  });

  it('returns before its timeout if DynamoDB does not respond, and a later invocation stores the dead letter', async () => {
    const put = pipeline.letters.put.bind(pipeline.letters);
    pipeline.letters.put = () => {
      pipeline.letters.put = put;
      return new Promise(() => undefined);
    };
    pipeline.putRecord('A', Buffer.from('nothing'));
    await publish();
    expect(pipeline.reasons).toEqual(['the publisher ran out of time']);
    expect(await letters()).toHaveLength(1);
  });
});
