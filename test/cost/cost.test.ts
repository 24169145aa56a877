import { describe, expect, it } from 'vitest';
import { batchLines } from '../../src/aws/monitoring/embedded-metrics.ts';
import { metricsLine, totalOf } from '../../src/cost/dollars.ts';
import { measuredWorks } from '../../src/cost/measured.ts';
import { monthlyCostOf } from '../../src/cost/monthly-cost.ts';
import { prices } from '../../src/cost/prices.ts';
import { provisionedCost } from '../../src/cost/provisioned-cost.ts';
import { estimateUnits, usageOf } from '../../src/cost/usage.ts';
import { dollarsOfWork } from './cost-page.ts';

/** @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html */
const bytesAddedByCloudWatch = 26;

describe('the cost formula', () => {
  it.each([1, 100])(
    'assumes the actual size of a metrics line for a batch size of %i',
    (events) => {
      const ages = Array.from({ length: events }, (_, index) => 100 + 13 * index);
      const model = { applied: events, rejected: 0, duplicate: 0, parked: 0, deadLetters: 0, ages };
      const counts = { models: new Map([['activation', model]]), deadLetters: 0, records: events };
      const [line = '', ...others] = batchLines(
        {
          namespace: 'Milepost/Milepost-TrackerEventStream8B6EF3D4-9aVbQmXzT2Kp',
          ofModels: true,
          ofRecords: false,
        },
        Date.UTC(2026, 0, 1),
        counts,
      );
      expect(others).toEqual([]);
      const bytes = metricsLine.bytes + metricsLine.bytesPerEvent * events;
      expect(Math.abs((line.length + bytesAddedByCloudWatch) / bytes - 1)).toBeLessThan(0.02);
    },
  );

  it.each([
    ['A', 1],
    ['B', 5],
  ] as const)(
    'calculates the units that were measured for workload %s',
    (work, eventsPerCommit) => {
      const { perEvent } = estimateUnits({ ...usageOf(1e6), eventsPerCommit });
      const measured = measuredWorks[work].perEvent;
      expect(perEvent.writeUnits).toBeCloseTo(measured.writeUnits, 2);
      expect(Math.abs(perEvent.readUnits / measured.readUnits - 1)).toBeLessThan(0.05);
    },
  );

  it('adds a write unit if a commit exceeds 1 KB', () => {
    const large = estimateUnits({ ...usageOf(1e6), stateBytes: 1_130 });
    expect(large.perEvent.writeUnits).toBeCloseTo(3.2, 5);
  });

  it('calculates $2.70 per million events of workload A, as the cost page and the benchmarks state', () => {
    expect(totalOf(dollarsOfWork(measuredWorks.A))).toBeCloseTo(2.702, 3);
  });

  it('charges for the stream by the hour, even with few events', () => {
    const { lines } = monthlyCostOf(usageOf(1));
    expect(lines.find(({ service }) => service.startsWith('Kinesis'))!.perMonth).toBeCloseTo(
      28.8,
      2,
    );
  });

  it('charges for the notification stream by the hour unless there are no notifications', () => {
    const perMonth = (notificationsPerEvent: number) => {
      const { lines } = monthlyCostOf({ ...usageOf(1), notificationsPerEvent });
      return lines.find(({ service }) => service === 'Notification stream')!.perMonth;
    };
    expect([perMonth(1), perMonth(0)]).toEqual([expect.closeTo(10.8, 3), 0]);
  });

  it('charges for the bus only by published notification, and not for a publisher without a bus', () => {
    const linesWith = (publishedPerEvent: number) => {
      const { lines } = monthlyCostOf({ ...usageOf(1e7), publishedPerEvent });
      return new Map(lines.map(({ service, perMonth }) => [service, perMonth]));
    };
    const [some, none] = [linesWith(0.1), linesWith(0)];
    expect([some.get('EventBridge'), none.get('EventBridge')]).toEqual([1, 0]);
    expect(some.get('Publisher')).toBeGreaterThan(0);
    expect(none.get('Publisher')).toBe(0);
    expect(some.get('Notification stream')).toBe(none.get('Notification stream'));
  });

  it('adds shards to the notification stream if one shard is not enough', () => {
    // The usage is 10,000 events per second, two fifths of which change the status.
    const events = 10_000 * 30 * 86_400;
    const { lines } = monthlyCostOf(usageOf(events));
    const { perMonth } = lines.find(({ service }) => service === 'Notification stream')!;
    const puts = 0.4 * events * (0.014 / 1e6);
    expect(perMonth - puts).toBeCloseTo(4 * 10.8, 6);
  });

  it('assumes, if lowLatency is on, that a batch contains the events that arrived during the previous batch, and charges for pushed bytes', () => {
    const pushed = (events: number) => estimateUnits({ ...usageOf(events), lowLatency: true });
    expect(pushed(1e6).eventsPerBatch).toBe(1);
    const { eventsPerBatch, durations } = pushed(3e9);
    const arrived = (3e9 / (30 * 86_400_000) / 4) * durations.dispatcher;
    expect(eventsPerBatch).toBeCloseTo(arrived, 6);
    const kinesisOf = (lowLatency: boolean) => {
      const { lines } = monthlyCostOf({ ...usageOf(1e9), lowLatency });
      return lines.find(({ service }) => service.startsWith('Kinesis'))!.perMonth;
    };
    const gigabytes = (1e9 * usageOf(1e9).eventBytes) / 2 ** 30;
    expect(kinesisOf(true) - kinesisOf(false)).toBeCloseTo(0.01 * gigabytes, 6);
  });

  it('charges for provisioned capacity by the hour, at the average utilization', () => {
    const linesAt = (events: number, capacityUtilization: number) =>
      monthlyCostOf({ ...usageOf(events), capacityUtilization }).lines;
    const capacityAt = (events: number, utilization: number) =>
      linesAt(events, utilization).find(({ service }) => service === 'DynamoDB, capacity')!
        .perMonth;
    const { writeUnits, readUnits } = estimateUnits(usageOf(1e9)).perEvent;
    const perSecond = 1e9 / (30 * 86_400);
    const full = 720 * perSecond * (writeUnits * 0.000_65 + readUnits * 0.000_13);
    expect(capacityAt(1e9, 100)).toBeCloseTo(full, 6);
    expect(capacityAt(1e9, 50)).toBeCloseTo(2 * full, 6);
    expect(linesAt(1e9, 50).map(({ service }) => service)).not.toContain('DynamoDB, units');
  });

  it('charges for at least one unit of capacity for the table and each index, and for the alarms of auto scaling', () => {
    const { lines } = monthlyCostOf({ ...usageOf(1), capacityUtilization: 70 });
    const perMonth = (name: string) => lines.find(({ service }) => service === name)!.perMonth;
    expect(perMonth('DynamoDB, capacity')).toBeCloseTo(6 * 720 * (0.000_65 + 0.000_13), 6);
    expect(perMonth('Auto scaling')).toBeCloseTo(4.8, 6);
  });

  it('calculates the same cost for on-demand and provisioned capacity at the break-even utilization', () => {
    const units = { writeUnits: 1e10, readUnits: 1e10 };
    const { perMillionWriteUnits, provisioned } = prices.dynamoDb;
    const breakEven = (100 * provisioned.perWriteUnitHour * (1e6 / 3_600)) / perMillionWriteUnits;
    const { perMonth } = provisionedCost(units, breakEven);
    expect(perMonth).toBeCloseTo(1e4 * (0.625 + 0.125), 6);
  });

  it('calculates the total of all services', () => {
    const { lines, perMonth, perMillion } = monthlyCostOf(usageOf(2e6));
    expect(lines.reduce((sum, line) => sum + line.perMonth, 0)).toBeCloseTo(perMonth, 9);
    expect(perMillion).toBeCloseTo(perMonth / 2, 9);
  });
});
