import { expect, it } from 'vitest';
import { FailureTracker } from '../../src/dispatcher/failures/failure-tracker.ts';
import { partitionOverdueEvents } from '../../src/dispatcher/failures/overdue-events.ts';
import type { StreamRecord } from '../../src/stream/stream-record.ts';
import { placed } from '../support/data/events.ts';
import { ManualClock } from '../support/manual-clock.ts';

const hours = 60 * 60 * 1_000;

it('all 25,000 events of an aggregated record are parked after AWS has rejected them for twelve hours', async () => {
  const clock = new ManualClock();
  const dependencies = { clock, failureTracker: new FailureTracker() };
  const whole: StreamRecord = {
    recordId: 'shard:1',
    position: { shard: 'shard', sequence: '1' },
    partitionKey: 'T1',
    arrivedAt: clock.now(),
    data: Buffer.of(),
  };
  const refused = Array.from({ length: 25_000 }, (_, n) => ({
    received: {
      record: { ...whole, recordId: `shard:1.${n}`, aggregatedRecord: whole },
      event: placed(n, { transaction: `T${n}` }).event,
    },
    reason: 'AccessDeniedException',
  }));
  const deliver = () => partitionOverdueEvents(dependencies, 'orders', refused, new Set());
  expect(deliver().failures).toHaveLength(refused.length);
  await clock.advance(11.9 * hours);
  expect(deliver().failures).toHaveLength(refused.length);
  await clock.advance(0.1 * hours);
  expect(deliver().stuck).toHaveLength(refused.length);
});
