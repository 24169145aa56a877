import { expect, it } from 'vitest';
import { reasonWithPlace, storedReason } from '../../../src/core/history/reason.ts';

it('a stored reason of up to 1,000 characters is unchanged', () => {
  expect(storedReason('no such model: orders 😀')).toBe('no such model: orders 😀');
  expect(storedReason('x'.repeat(1000))).toBe('x'.repeat(1000));
});

it('a stored reason of more than 1,000 characters is truncated', () => {
  expect(storedReason('x'.repeat(300_000))).toBe(`${'x'.repeat(1000)}…`);
});

it.each([
  ['the reason contains a lone surrogate', '\ud83d is no JSON'],
  ['an emoji crosses the limit', `${'x'.repeat(999)}😀😀`],
])('a stored reason is well-formed even if %s', (_, reason) => {
  expect(storedReason(reason).isWellFormed()).toBe(true);
});

it.each([
  ['empty', ''],
  ['short', 'a bug'],
  ['very long', 'x'.repeat(300_000)],
  ['long and consists of emoji', '😀'.repeat(1000)],
])('a stored reason keeps the position in the code if the reason is %s', (_, reason) => {
  const stored = storedReason(reasonWithPlace(reason, 'models/parcel/model.ts:12:17'));
  expect(stored).toMatch(/ \(models\/parcel\/model\.ts:12:17\)$/);
  expect(stored.length).toBeLessThanOrEqual(1000);
});

it('a reason has no position in the code if none is known', () => {
  expect(reasonWithPlace('a bug', undefined)).toBe('a bug');
});

it('a very long position in the code is truncated in a stored reason', () => {
  expect(storedReason(reasonWithPlace('a bug', 'x'.repeat(5000)))).toMatch(/^a bug \(x+\)$/);
});
