import { describe, expect, it } from 'vitest';
import {
  hasLeadTime,
  leadTime,
  readKeyRing,
  signingKey,
  withNewKey,
} from '../../../src/core/event/key-ring.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const now = Date.UTC(2026, 0, 1);
const seconds = now / 1000;
const day = 24 * 60 * 60;
const secret = (letter: string) => letter.repeat(43);
const idsIn = (text: string) => [...readKeyRing(text).keys()];
const signerAt = (text: string, at: number) => signingKey(readKeyRing(text), at).id;
const first = JSON.stringify({ 0: secret('a') });

describe('a key ring', () => {
  it('sorts its keys by when they start to sign', () => {
    const text = JSON.stringify({
      [`${seconds + 60}`]: secret('c'),
      0: secret('a'),
      [`${seconds}`]: secret('b'),
    });
    expect(idsIn(text)).toEqual(['0', `${seconds}`, `${seconds + 60}`]);
    expect(signerAt(text, now - 1)).toBe('0');
    expect(signerAt(text, now)).toBe(`${seconds}`);
    expect(signerAt(text, now + 60_000)).toBe(`${seconds + 60}`);
  });

  it('signs with its first key if no key is active yet', () => {
    expect(signerAt(JSON.stringify({ [seconds]: secret('a') }), 0)).toBe(`${seconds}`);
  });

  it.each([
    ['text that is not JSON', 'hunter2'],
    ['empty text', ''],
    ['an array', '["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]'],
    ['an empty object', '{}'],
    ['an object with an id that is not a time', JSON.stringify({ k1: secret('a') })],
    ['an object with an id in a noncanonical notation', JSON.stringify({ '00': secret('a') })],
    ['an object with an id that is too long', JSON.stringify({ 1234567890123: secret('a') })],
    ['an object with a short secret', JSON.stringify({ 0: 'hunter2' })],
    ['an object with a secret that is not a string', JSON.stringify({ 0: 7 })],
  ])('cannot be %s, and the error does not quote the secret', (_, text) => {
    const error = thrownBy(() => readKeyRing(text)) as Error;
    expect(error).toMatchObject({ code: 'bad-secret' });
    expect(error.message).not.toMatch(/hunter2|aaaa/);
  });
});

describe('a rotation of a key ring', () => {
  it('adds a key that starts to sign after the lead time', () => {
    const text = withNewKey(first, now, secret('b'));
    expect(idsIn(text)).toEqual(['0', `${seconds + leadTime}`]);
    expect(signerAt(text, now + leadTime * 1000 - 1)).toBe('0');
    expect(signerAt(text, now + leadTime * 1000)).toBe(`${seconds + leadTime}`);
  });

  it('adds a new key each time, even twice within one second', () => {
    const twice = withNewKey(withNewKey(first, now, secret('b')), now, secret('c'));
    expect(idsIn(twice)).toHaveLength(3);
    expect(signerAt(twice, now + 2 * leadTime * 1000)).toBe(`${seconds + leadTime + 1}`);
  });

  it('keeps every key that may have signed an existing record', () => {
    // The ring contains one key per day for more than three years.
    const daily = Array.from({ length: 1_200 }, (_, ago) => [seconds - ago * day, secret('b')]);
    const text = withNewKey(JSON.stringify(Object.fromEntries(daily)), now, secret('c'));
    const ages = idsIn(text).map((id) => (seconds - Number(id)) / day);
    // The oldest key was in use until 799 days ago.
    expect(Math.max(...ages)).toBe(800);
    expect(ages).toHaveLength(802);
    // Secrets Manager accepts at most 64 KB.
    expect(Buffer.byteLength(text)).toBeLessThan(64 * 1024);
  });

  it('never drops the key that currently signs', () => {
    const later = now + 3_000 * day * 1000;
    expect(idsIn(withNewKey(first, later, secret('b')))).toContain('0');
  });

  it('leaves enough time for functions to read the new key until half of the lead time has passed', () => {
    const text = withNewKey(first, now, secret('b'));
    expect(hasLeadTime(text, now + 60_000)).toBe(true);
    expect(hasLeadTime(text, now + (leadTime / 2 + 1) * 1000)).toBe(false);
  });
});
