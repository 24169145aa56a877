import { describe, expect, it } from 'vitest';
import { Deadline } from '../../src/common/deadline.ts';
import { ManualClock } from '../support/manual-clock.ts';

const clock = new ManualClock();
const inSeconds = (seconds: number) => new Deadline(clock, clock.now() + 1_000 * seconds);
const never = new Promise<string>(() => undefined);

describe('a deadline', () => {
  it('returns the value of work that ends before the deadline', async () => {
    expect(await inSeconds(1).race(Promise.resolve('done'))).toBe('done');
  });

  it('stops waiting for unfinished work exactly when it passes', async () => {
    const deadline = inSeconds(10);
    expect(await clock.runUntil(deadline.race(never))).toBe('late');
    expect([clock.now(), deadline.hasPassed]).toEqual([deadline.at, true]);
  });

  it('rethrows an error that the work throws', async () => {
    await expect(inSeconds(1).race(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('ignores an error that the work throws after the deadline', async () => {
    const { promise: work, reject } = Promise.withResolvers<string>();
    expect(await clock.runUntil(inSeconds(1).race(work))).toBe('late');
    reject(new Error('too late to matter'));
    await clock.settle();
  });

  it('leaves no timer running after the work ends', async () => {
    await inSeconds(60).race(Promise.resolve());
    await expect(clock.runUntil(never)).rejects.toThrow('nothing waits for the clock');
  });

  it('never passes if it is infinite', async () => {
    const none = Deadline.none(clock);
    expect(await none.race(Promise.resolve('done'))).toBe('done');
    expect([none.hasPassed, none.earlierBy(1_000).hasPassed]).toEqual([false, false]);
    expect(none.within(5_000).remaining).toBe(5_000);
  });
});
