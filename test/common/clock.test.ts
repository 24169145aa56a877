import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/common/clock.ts';

describe('systemClock', () => {
  it('returns the system time', () => {
    const before = Date.now();
    const now = systemClock.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  it('sleeps for about the requested time or longer', async () => {
    const before = performance.now();
    await systemClock.sleep(20);
    expect(performance.now() - before).toBeGreaterThan(15);
  });

  it('ends a sleep without an error as soon as the signal aborts', async () => {
    const controller = new AbortController();
    const sleep = systemClock.sleep(1_000_000, controller.signal);
    controller.abort();
    await expect(sleep).resolves.toBeUndefined();
  });

  it('does not sleep if the signal is already aborted', async () => {
    await expect(systemClock.sleep(1_000_000, AbortSignal.abort())).resolves.toBeUndefined();
  });
});
