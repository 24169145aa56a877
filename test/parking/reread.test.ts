import { beforeEach, describe, expect, it } from 'vitest';
import { redriveEvent } from '../../src/core/event/redrive.ts';
import { type Model, reject } from '../../src/core/model/model.ts';
import { skipParkedEvent } from '../../src/parking/unpark.ts';
import type { StreamRecord } from '../../src/stream/stream-record.ts';
import { signed } from '../support/data/event-macs.ts';
import { counter } from '../support/models/counter-model.ts';
import { Pipeline } from '../support/service/pipeline.ts';

const instance = { model: 'counter', transaction: 'T1' };

let rejects: boolean;
let pipeline: Pipeline;
/** The records of an event that is applied, an event that is parked, and an event that is queued behind it. */
let records: StreamRecord[];

beforeEach(async () => {
  rejects = false;
  const model: Model = {
    ...counter,
    transition: (event, ...rest) =>
      rejects && event.type === 'failed' ? reject('wrong') : counter.transition(event, ...rest),
  };
  pipeline = new Pipeline(model);
  const { transaction } = instance;
  records = pipeline.records(
    { transaction, type: 'added', id: 'first', data: { n: 1 } },
    { transaction, type: 'failed', id: 'parked' },
    { transaction, type: 'added', id: 'behind', data: { n: 2 } },
  );
  await pipeline.deliver(records);
});

async function redrive(): Promise<void> {
  const [record] = pipeline.records({ transaction: instance.transaction, type: 'redriven' });
  await pipeline.deliver([{ ...record!, data: signed(redriveEvent(instance)) }]);
}

const history = async () => (await pipeline.history('T1')).map(({ id }) => id);

describe('reading the stream again', () => {
  it('changes neither the history nor the parked events', async () => {
    const queue = await pipeline.queue('T1');
    expect(queue).toHaveLength(2);
    await pipeline.deliver(records);
    expect(await history()).toEqual(['first']);
    expect(await pipeline.queue('T1')).toEqual(queue);
  });

  it('parks an event again that was deleted from the queue', async () => {
    const [parked] = await pipeline.parking.oldest(instance, 1);
    await skipParkedEvent(pipeline, instance, parked!.position);
    await redrive();
    expect([await history(), await pipeline.queue('T1')]).toEqual([['first', 'behind'], []]);
    await pipeline.deliver(records);
    expect(await pipeline.queue('T1')).toEqual([expect.stringContaining('told to fail')]);
  });

  it('does not repeat a parked event that the model rejected in a redrive', async () => {
    rejects = true;
    await redrive();
    rejects = false;
    await pipeline.deliver(records);
    expect(await history()).toEqual(['first', 'parked', 'behind']);
    expect(await pipeline.queue('T1')).toEqual([]);
  });
});
