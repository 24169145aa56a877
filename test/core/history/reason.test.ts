import { expect, it } from 'vitest';
import { reasonWithPlace, storedReason } from '../../../src/core/history/reason.ts';

it('leaves words as they are', () => {
  expect(storedReason('no such model: orders 😀')).toBe('no such model: orders 😀');
  expect(storedReason('x'.repeat(1000))).toBe('x'.repeat(1000));
});

it('cuts what is long', () => {
  expect(storedReason('x'.repeat(300_000))).toBe(`${'x'.repeat(1000)}…`);
});

it.each(['\ud83d is no JSON', `${'x'.repeat(999)}😀😀`])('is well-formed, case %#', (reason) => {
  expect(storedReason(reason).isWellFormed()).toBe(true);
});

it.each(['', 'a bug', 'x'.repeat(300_000), '😀'.repeat(1000)])(
  'keeps the position in the code when it is stored, case %#',
  (reason) => {
    const stored = storedReason(reasonWithPlace(reason, 'models/parcel/model.ts:12:17'));
    expect(stored).toMatch(/ \(models\/parcel\/model\.ts:12:17\)$/);
    expect(stored.length).toBeLessThanOrEqual(1000);
  },
);

it('says no position where none is known, and cuts one that is very long', () => {
  expect(reasonWithPlace('a bug', undefined)).toBe('a bug');
  expect(storedReason(reasonWithPlace('a bug', 'x'.repeat(5000)))).toMatch(/^a bug \(x+\)$/);
});
