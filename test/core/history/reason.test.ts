import { expect, it } from 'vitest';
import { reasonWithPlace, storedReason } from '../../../src/core/history/reason.ts';

it('a stored reason of up to 1,000 characters is unchanged', () => {
  expect(storedReason('no such model: orders 😀')).toBe('no such model: orders 😀');
  expect(storedReason('x'.repeat(1000))).toBe('x'.repeat(1000));
});

it('a longer reason is truncated', () => {
  expect(storedReason('x'.repeat(300_000))).toBe(`${'x'.repeat(1000)}…`);
});

it.each(['\ud83d is no JSON', `${'x'.repeat(999)}😀😀`])(
  'a stored reason is well-formed, case %#',
  (reason) => {
    expect(storedReason(reason).isWellFormed()).toBe(true);
  },
);

it.each(['', 'a bug', 'x'.repeat(300_000), '😀'.repeat(1000)])(
  'a stored reason keeps the position in the code, case %#',
  (reason) => {
    const stored = storedReason(reasonWithPlace(reason, 'models/parcel/model.ts:12:17'));
    expect(stored).toMatch(/ \(models\/parcel\/model\.ts:12:17\)$/);
    expect(stored.length).toBeLessThanOrEqual(1000);
  },
);

it('a reason has no position if none is known, and a very long position is truncated', () => {
  expect(reasonWithPlace('a bug', undefined)).toBe('a bug');
  expect(storedReason(reasonWithPlace('a bug', 'x'.repeat(5000)))).toMatch(/^a bug \(x+\)$/);
});
