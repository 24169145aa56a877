import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkLifetimePattern } from '../../../src/core/status/link-lifetime.ts';
import { durationMilliseconds } from '../../../src/core/time/duration.ts';

const day = 24 * 60 * 60 * 1000;
const isGood = (text: string) => linkLifetimePattern.test(text);

describe('linkLifetimePattern', () => {
  it.each([
    'PT1S',
    'P7D',
    'P366D',
    'P52W',
    'PT36H',
    'PT8784H',
    'P1DT12H',
    'P365DT23H59M59S',
    'PT90M',
  ])('accepts %s', (text) => expect(isGood(text)).toBe(true));

  it.each([
    '',
    'P',
    'PT',
    'PT0S',
    'P367D',
    'P53W',
    'PT8785H',
    'P366DT1S',
    'P1M',
    'P1Y',
    '-P1D',
    'P7d',
    'P07D',
  ])('rejects %j', (text) => expect(isGood(text)).toBe(false));

  it('accepts only durations from 1 second to 366 days', () => {
    fc.assert(
      fc.property(fc.stringMatching(linkLifetimePattern), (text) => {
        const length = durationMilliseconds(text);
        expect(length).toBeGreaterThanOrEqual(1000);
        expect(length).toBeLessThanOrEqual(366 * day);
      }),
    );
  });
});
