import { expect, it } from 'vitest';
import { ExpiringSet } from '../../src/common/expiring-set.ts';
import { ManualClock } from '../support/manual-clock.ts';

it('an expiring set keeps a name for one period and drops the name within two periods', async () => {
  for (const phase of [0, 1, 500, 999]) {
    const clock = new ManualClock();
    const recent = new ExpiringSet(clock, 1_000);
    await clock.advance(phase);
    recent.add('a');
    expect(recent.has('b')).toBe(false);
    await clock.advance(1_000);
    expect(recent.has('a')).toBe(true);
    recent.add('b');
    await clock.advance(1_000);
    expect([recent.has('a'), recent.has('b')]).toEqual([false, true]);
  }
});

it('an expiring set drops all names after a long time without calls', async () => {
  const clock = new ManualClock();
  const recent = new ExpiringSet(clock, 1_000);
  recent.add('a');
  await clock.advance(60_000);
  expect(recent.has('a')).toBe(false);
});

it('an expiring set keeps a name for another period when the name is added again', async () => {
  const clock = new ManualClock();
  const recent = new ExpiringSet(clock, 1_000);
  for (let n = 0; n < 10; n++) {
    recent.add('a');
    await clock.advance(900);
    expect(recent.has('a')).toBe(true);
  }
});

it('an expiring set keeps a name for one period and drops it within two periods if the clock is set back', async () => {
  const clock = new ManualClock();
  const recent = new ExpiringSet(clock, 1_000);
  recent.add('a');
  clock.setBack(60_000);
  expect(recent.has('a')).toBe(true);
  await clock.advance(999);
  expect(recent.has('a')).toBe(true);
  await clock.advance(1_001);
  expect(recent.has('a')).toBe(false);
});
