import { describe, expect, it } from 'vitest';
import { ManagedMapping } from '../../../src/aws-local/event-source/managed-mapping.ts';
import { Harness, onlyShard } from './harness.ts';

async function enabled(harness: Harness) {
  const mapping = new ManagedMapping(harness.options());
  await mapping.enable();
  await harness.clock.settle();
  return mapping;
}

describe('an event source mapping', () => {
  it('reads no records while it is disabled, and resumes where it stopped when it is enabled', async () => {
    const harness = new Harness();
    const mapping = await enabled(harness);
    const before = harness.stream.put(onlyShard, 'a');
    await harness.clock.advance(1000);
    expect(harness.batches.flat()).toEqual(before);

    await harness.clock.runUntil(mapping.disable());
    const meanwhile = harness.stream.put(onlyShard, 'b', 'c');
    await harness.clock.advance(60_000);
    expect(mapping.state).toBe('Disabled');
    expect(harness.batches.flat()).toEqual(before);

    await harness.clock.runUntil(mapping.enable());
    await harness.clock.advance(1000);
    expect(mapping.state).toBe('Enabled');
    expect(harness.batches.flat()).toEqual([...before, ...meanwhile]);
    await harness.clock.runUntil(mapping.stop());
  });

  it('can be enabled if the template disables it', async () => {
    const harness = new Harness();
    const mapping = new ManagedMapping(harness.options({ Enabled: false }));
    await mapping.enable();
    await harness.clock.settle();
    const records = harness.stream.put(onlyShard, 'a');
    await harness.clock.advance(1000);
    expect(harness.batches.flat()).toEqual(records);
    await harness.clock.runUntil(mapping.stop());
  });

  it('reports the state Disabling until the invocation in flight ends', async () => {
    const harness = new Harness();
    const gate = Promise.withResolvers<void>();
    harness.handler = () => gate.promise;
    const mapping = await enabled(harness);
    harness.stream.put(onlyShard, 'a');
    await harness.clock.advance(1000);

    const disabling = mapping.disable();
    await harness.clock.settle();
    expect(mapping).toMatchObject({ state: 'Disabling', isChanging: true });

    gate.resolve();
    await harness.clock.runUntil(disabling);
    expect(mapping).toMatchObject({ state: 'Disabled', isChanging: false });
  });

  it('reports the result of the latest invocation', async () => {
    const harness = new Harness();
    const mapping = await enabled(harness);
    expect(mapping.lastProcessingResult).toBe('No records processed');

    harness.handler = () => {
      throw new Error('failed');
    };
    harness.stream.put(onlyShard, 'a');
    await harness.clock.advance(1000);
    expect(mapping.lastProcessingResult).toBe('PROBLEM: Function call failed');

    harness.handler = () => null;
    await harness.clock.advance(60_000);
    expect(mapping.lastProcessingResult).toBe('OK');
    await harness.clock.runUntil(mapping.stop());
  });

  it('has no stalled shards while it is disabled', async () => {
    const harness = new Harness({ waitForCapacity: () => new Promise(() => {}), stopTimeoutMs: 0 });
    const mapping = await enabled(harness);
    harness.stream.put(onlyShard, 'a');
    await harness.clock.advance(300_000);
    expect(mapping.stalledShards()).toHaveLength(1);

    await harness.clock.runUntil(mapping.disable());
    expect(mapping.stalledShards()).toEqual([]);
  });

  it('stays disabled and reports the reason if its checkpoints cannot be read', async () => {
    const harness = new Harness();
    harness.checkpoints.load = () => Promise.reject(new Error('unreadable'));
    const mapping = new ManagedMapping(harness.options());
    await expect(mapping.enable()).rejects.toThrow('unreadable');
    expect(mapping.state).toBe('Disabled');
  });
});
