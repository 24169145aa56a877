import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { untilInterrupted } from '../../src/cli/interrupt.ts';
import { signalSource } from './service-per-test.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('untilInterrupted', () => {
  it('ignores the second signal of one Ctrl+C, even if it arrives after the function ended', async () => {
    const source = signalSource();
    const status = await untilInterrupted(source, (signal) => {
      source.emit('SIGINT');
      return Promise.reject(signal.reason as Error);
    });
    expect(status).toBe(130);
    // `emit` returns true if there is a listener.
    expect(source.emit('SIGINT')).toBe(true);
    vi.advanceTimersByTime(1_000);
    expect(source.emit('SIGINT')).toBe(false);
  });

  it('stops listening when the function ends without a signal', async () => {
    const source = signalSource();
    expect(await untilInterrupted(source, () => Promise.resolve())).toBeUndefined();
    expect(source.eventNames()).toEqual([]);
  });
});
