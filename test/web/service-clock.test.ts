import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { compareClock, serviceNow } from '../../web/api/service-clock.ts';

const hour = 3_600_000;
const header = (ms: number) => new Date(ms).toUTCString();

describe('the clock of the pages', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 28, 12) });
  });
  afterEach(() => {
    compareClock(header(Date.now()));
    vi.useRealTimers();
  });

  it.each([-hour, hour])(
    'uses the time of the service if the clock of the browser is wrong by %i ms',
    (error) => {
      const actual = Date.now() - error;
      compareClock(header(actual));
      expect(serviceNow()).toBe(actual);
    },
  );

  it('uses the clock of the browser if it is nearly correct', () => {
    compareClock(header(Date.now() - 20_000));
    expect(serviceNow()).toBe(Date.now());
  });

  it('keeps its time if responses take different lengths of time', () => {
    compareClock(header(Date.now() + hour));
    const before = serviceNow();
    compareClock(header(Date.now() + hour - 5_000));
    expect(serviceNow()).toBe(before);
  });

  it('returns to the clock of the browser after it was corrected', () => {
    compareClock(header(Date.now() + hour));
    compareClock(header(Date.now()));
    expect(serviceNow()).toBe(Date.now());
  });

  it.each([null, '', 'yesterday'])('ignores the header %j', (invalid) => {
    compareClock(invalid);
    expect(serviceNow()).toBe(Date.now());
  });
});
