import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/core/json/json.ts';
import { mayContainSealed, seal, unseal } from '../../../src/core/personal-data/sealed.ts';

const instance = { model: 'm', transaction: 'T1' };
const key = randomBytes(32);
const anyJson = fc.jsonValue() as fc.Arbitrary<Json>;

describe('seal', () => {
  it('encrypts any value, which unseal restores at any depth with the same key', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as Json;
        const sealed = { there: [seal(plain, key, instance)], n: 1 };
        expect(unseal(JSON.parse(JSON.stringify(sealed)) as Json, key, instance)).toEqual({
          there: [plain],
          n: 1,
        });
      }),
    );
    const sealed = JSON.stringify(seal('Fred Flintstone', key, instance));
    expect(sealed).not.toContain('Fred');
    expect(mayContainSealed(sealed)).toBe(true);
  });

  it('is deterministic and depends on the value, the key, and the instance', () => {
    const sealed = seal({ a: 1 }, key, instance);
    expect(seal({ a: 1 }, key, instance)).toEqual(sealed);
    expect(seal({ a: 2 }, key, instance)).not.toEqual(sealed);
    expect(seal({ a: 1 }, randomBytes(32), instance)).not.toEqual(sealed);
    expect(seal({ a: 1 }, key, { ...instance, transaction: 'T2' })).not.toEqual(sealed);
  });

  it('returns null if the key is destroyed, and unseal then replaces sealed values with null', () => {
    expect(seal('secret', 'forgotten', instance)).toBeNull();
    expect(unseal({ a: seal('secret', key, instance), b: 2 }, 'forgotten', instance)).toEqual({
      a: null,
      b: 2,
    });
  });
});

describe('unseal', () => {
  it('does not change a value that is not sealed, was modified, or belongs to another instance, and changes nothing without a key', () => {
    const sealed = seal('secret', key, instance) as { $sealed: string };
    const bytes = Buffer.from(sealed.$sealed, 'base64');
    bytes[20]! ^= 1;
    for (const value of [
      { $sealed: bytes.toString('base64') },
      { $sealed: 'AAAA' },
      { $sealed: 1 },
      { ...sealed, other: 1 },
      'plain',
    ])
      expect(unseal(value, key, instance)).toEqual(value);
    expect(unseal(sealed, key, { ...instance, transaction: 'T2' })).toEqual(sealed);
    expect(unseal(sealed, undefined, instance)).toEqual(sealed);
  });
});
