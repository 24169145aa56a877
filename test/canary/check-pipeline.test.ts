import { beforeEach, describe, expect, it } from 'vitest';
import { canaryModel } from '../../src/canary/canary-model.ts';
import { checkPipeline } from '../../src/canary/check-pipeline.ts';
import { Deadline } from '../../src/common/deadline.ts';
import type { Model } from '../../src/core/model/model.ts';
import type { OutgoingRecord } from '../../src/stream/event-stream.ts';
import { Pipeline } from '../support/service/pipeline.ts';

describe('the canary', () => {
  let pipeline: Pipeline;
  /**
   * How long after a put the stream delivers the record, in milliseconds; undefined if the record is not
   * delivered.
   */
  let delay: number | undefined;
  let put: (records: readonly OutgoingRecord[]) => Promise<void>;

  beforeEach(() => {
    pipeline = new Pipeline(canaryModel as unknown as Model);
    delay = 0;
    put = async (records) => {
      if (delay === undefined) return;
      void pipeline.clock.sleep(delay).then(() => deliver(records));
    };
  });

  async function deliver(records: readonly OutgoingRecord[]): Promise<void> {
    const delivered = pipeline.records(
      ...records.map(() => ({ transaction: 'replaced', type: 'replaced' })),
    );
    const failed = await pipeline.deliver(
      delivered.map((record, index) => ({ ...record, data: records[index]!.data })),
    );
    expect(failed).toEqual([]);
  }

  /** Runs the canary with a time limit of 50 seconds. */
  const run = (instances = pipeline.instances as Pick<Pipeline['instances'], 'readConsistent'>) =>
    pipeline.clock.runUntil(
      checkPipeline(
        { stream: { put: (records) => put(records) }, instances, clock: pipeline.clock },
        new Deadline(pipeline.clock, pipeline.clock.now() + 50_000),
      ),
    );

  it('returns the time until a read shows that its event is applied', async () => {
    delay = 600;
    const latency = await run();
    expect(latency).toBeGreaterThanOrEqual(600);
    expect(latency).toBeLessThanOrEqual(2_000);
  });

  it('returns at least 30 seconds if the stream delivers its event after 30 seconds', async () => {
    delay = 30_000;
    expect(await run()).toBeGreaterThanOrEqual(30_000);
  });

  it('adds an event to the instance for the current day in each run', async () => {
    await run();
    await run();
    const [day] = new Date(pipeline.clock.now()).toISOString().split('T');
    const history = await pipeline.history(day!);
    expect(history.map(({ outcome }) => outcome)).toEqual(['applied', 'applied']);
  });

  it('fails if the event is never applied', async () => {
    delay = undefined;
    await expect(run()).rejects.toThrow('the event was not applied in time');
  });

  it('fails with the reason of the latest complete read if the deadline passes during a read', async () => {
    delay = undefined;
    const slow: typeof pipeline.instances.readConsistent = async (keys) => {
      await pipeline.clock.sleep(700);
      return pipeline.instances.readConsistent(keys);
    };
    await expect(run({ readConsistent: slow })).rejects.toThrow('not applied in time');
  });

  it('succeeds if an earlier run failed and its event is applied late', async () => {
    delay = 55_000;
    await expect(run()).rejects.toThrow('not applied in time');
    delay = 0;
    expect(await run()).toBeLessThan(10_000);
  });

  it('ignores an event from another producer', async () => {
    await run();
    delay = undefined;
    const [day] = new Date(pipeline.clock.now()).toISOString().split('T');
    const type = 'canary.checked';
    await pipeline.deliver(pipeline.records({ transaction: day!, type, id: '9999' }));
    await expect(run()).rejects.toThrow('not applied in time');
  });

  it('fails if the stream rejects its event', async () => {
    put = () => Promise.reject(new Error('access denied'));
    await expect(run()).rejects.toThrow('access denied');
  });

  it('fails if the stream never responds', async () => {
    put = () => new Promise(() => {});
    await expect(run()).rejects.toThrow('the stream did not accept the event in time');
  });

  it('fails with the reason if the instance cannot be read', async () => {
    const denied = async () => [{ error: new Error('access denied') }];
    await expect(run({ readConsistent: denied })).rejects.toThrow(
      'the instance could not be read: access denied',
    );
  });

  it('fails if the table never responds', async () => {
    await expect(run({ readConsistent: () => new Promise(() => {}) })).rejects.toThrow(
      'the instance could not be read in time',
    );
  });

  it('reads again after a failed read', async () => {
    delay = 600;
    let reads = 0;
    const once: typeof pipeline.instances.readConsistent = async (keys) =>
      reads++ === 0 ? [{ error: new Error('throttled') }] : pipeline.instances.readConsistent(keys);
    expect(await run({ readConsistent: once })).toBeGreaterThanOrEqual(600);
  });
});
