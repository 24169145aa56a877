import { describe, expect, it } from 'vitest';
import type { Kinesis } from '../../src/aws/client/kinesis.ts';
import { KinesisEventStream } from '../../src/aws/stream/kinesis-event-stream.ts';
import { readNotificationRecord } from '../../src/core/effects/notification-record.ts';
import { NotificationStream } from '../../src/model-runtime/notification-stream.ts';
import { RecordsRefusedError } from '../../src/stream/records-refused-error.ts';
import { notificationOf } from '../support/data/notifications.ts';
import { ManualClock } from '../support/manual-clock.ts';

const clock = new ManualClock();
const idsIn = (data: Uint8Array) => {
  const answer = readNotificationRecord(data);
  if ('flaw' in answer) throw new Error(answer.flaw);
  return answer.record.notifications.map(({ detail }) => detail['id']);
};

/**
 * Returns a notification stream that accepts only records with certain partition keys, and the ids of the accepted
 * notifications.
 */
function streamThat(takes: (partitionKey: string) => boolean) {
  const taken: unknown[] = [];
  const putRecords: Kinesis['putRecords'] = async ({ Records = [] }) => ({
    Records: Records.map(({ PartitionKey, Data }) => {
      if (!takes(PartitionKey!)) return { ErrorCode: 'ProvisionedThroughputExceededException' };
      taken.push(...idsIn(Data!));
      return {};
    }),
  });
  return {
    taken,
    stream: new NotificationStream(new KinesisEventStream({ putRecords }, 'n', clock)),
  };
}

describe('NotificationStream', () => {
  it('publishes notifications in order within each instance', async () => {
    const { stream, taken } = streamThat(() => true);
    const many = Array.from({ length: 70 }, (_, count) => notificationOf('A', 1, { count }));
    await clock.runUntil(stream.publish([...many, notificationOf('B', 1)]));
    expect(taken.filter((id) => String(id).includes('/A/'))).toEqual(many.map(({ id }) => id));
    expect(taken).toContain('orders/B/1.0');
  });

  it('reports the notifications that Kinesis rejected, and publishes all other notifications', async () => {
    const { stream, taken } = streamThat((key) => key !== 'hot');
    const [hot, cold] = [
      [notificationOf('hot', 1), notificationOf('hot', 2)],
      [notificationOf('cold', 1)],
    ];
    const publishing = clock.runUntil(stream.publish([...hot, ...cold]));
    const error = await publishing.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RecordsRefusedError);
    expect((error as RecordsRefusedError).refused).toEqual(new Set(hot));
    expect(taken).toEqual(['orders/cold/1.0']);
  });
});
