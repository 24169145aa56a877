import { expect, it } from 'vitest';
import { storedReason } from '../../src/core/reason.ts';

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
