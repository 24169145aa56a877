import { describe, expect, it } from 'vitest';
import { batchesOf, oneByOne, unfolded } from '../../bench/cost/batches.ts';
import { recordsOfWork } from '../../bench/support/records.ts';
import { eventsPerInstance } from '../../bench/support/work.ts';
import { laneOf } from '../../src/aws-local/event-source/lane-of.ts';

const inBatch = (batch: readonly { readonly partitionKey: string }[]) =>
  Math.max(
    ...Map.groupBy(batch, ({ partitionKey }) => partitionKey)
      .values()
      .map((each) => each.length),
  );

describe('the batches of the benchmark', () => {
  const cutting = { batchSize: 50, lanes: 10, perRead: 1_000 };

  it('contain every record once and the records of an instance in order', () => {
    const records = recordsOfWork('rounds', 300);
    const delivered = batchesOf(records, cutting).flat();
    const numbersOf = (all: readonly { readonly sequenceNumber: string }[]) =>
      all.map(({ sequenceNumber }) => sequenceNumber).toSorted();
    expect(numbersOf(delivered)).toEqual(numbersOf(records));
    const ofOne = delivered.filter(({ partitionKey }) => partitionKey === 'ATV-7');
    const numbers = ofOne.map(({ sequenceNumber }) => sequenceNumber);
    expect(numbers).toEqual(numbers.toSorted());
    expect(numbers).toHaveLength(eventsPerInstance);
  });

  it('contain at most as many records as the batch size, all from one lane', () => {
    const batches = batchesOf(recordsOfWork('bursts', 500), cutting);
    expect(Math.max(...batches.map(({ length }) => length))).toBe(50);
    for (const batch of batches) {
      const lanes = batch.map(({ partitionKey }) => laneOf(partitionKey, cutting.lanes));
      expect(new Set(lanes).size).toBe(1);
    }
  });

  it('contain all events of an instance if events are put in bursts, or at most one event per instance if batches are split to prevent folding', () => {
    const records = recordsOfWork('bursts', 100);
    expect(inBatch(batchesOf(records, cutting)[0]!)).toBe(5);
    for (const batch of unfolded(records, 50)) expect(inBatch(batch)).toBe(1);
    expect(oneByOne(records)).toHaveLength(500);
  });
});
