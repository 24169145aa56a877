import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { countdown, exact, lasting, length, relative } from '../../web/pure/times.ts';

const at = '2026-11-21T12:00:00.000Z';
const now = Date.parse(at);
const second = 1000;
const day = 86_400 * second;

describe('a relative time', () => {
  it.each([
    [0, 'just now'],
    [-4 * second, 'just now'],
    [5 * second, '5 s ago'],
    [59.9 * second, '59 s ago'],
    [120 * second, '2 min ago'],
    [3 * 3600 * second, '3 h ago'],
    [47 * 3600 * second, '47 h ago'],
    [2 * day, '2 days ago'],
    [400 * day, '1 year ago'],
    [800 * day, '2 years ago'],
    [-59.6 * second, 'in 1 min'],
    [-80 * second, 'in 1 min'],
    [-100 * second, 'in 2 min'],
    [-59.6 * 60 * second, 'in 1 h'],
    [-47.6 * 3600 * second, 'in 2 days'],
    [-30 * day + 5 * second, 'in 30 days'],
    [-30 * day, 'in 30 days'],
    [-365 * day + 5 * second, 'in 1 year'],
  ])('for a time %d ms before now is %j', (passed, text) => {
    expect(relative(at, now + passed)).toBe(text);
  });
});

describe('a duration', () => {
  it.each([
    [0.4, '0.4 s'],
    [2.346, '2.3 s'],
    [10, '10 s'],
    [10.5, '10 s'],
    [300, '5 min'],
  ])('of %d s is %j', (seconds, text) => {
    expect(length(seconds)).toBe(text);
  });

  it('since a moment is not negative, even if the moment is in the future', () => {
    expect(lasting(at, now + 3 * day)).toBe('3 days');
    expect(lasting(at, now - 3 * day)).toBe('0 s');
  });
});

describe('an exact time', () => {
  it('includes the time zone', () => {
    expect(exact(at, 'Europe/Berlin', 'en-GB')).toMatch(
      /^21 Nov 2026,? (?:at )?13:00:00 (?:CET|GMT\+1)$/,
    );
  });

  it('is formatted with one formatter for all times', () => {
    let created = 0;
    vi.stubGlobal('Intl', {
      DateTimeFormat: class extends Intl.DateTimeFormat {
        constructor(...settings: ConstructorParameters<typeof Intl.DateTimeFormat>) {
          super(...settings);
          created++;
        }
      },
    });
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    for (let minutes = 0; minutes < 60; minutes++)
      exact(new Date(now + 60_000 * minutes).toISOString(), 'Asia/Kathmandu');
    expect(created).toBe(1);
  });

  it('is the text itself if the text is not a time', () => {
    expect(exact('no time')).toBe('no time');
  });
});

describe('a countdown', () => {
  it.each([
    [0, undefined],
    [-5 * second, undefined],
    [1, '00:01'],
    [129 * second, '02:09'],
    [3600 * second, '01:00:00'],
    [day + 7384 * second, '1 d 02:03:04'],
  ])('with %d ms left is %s', (left, text) => {
    expect(countdown(at, now - left)).toBe(text);
  });
});
