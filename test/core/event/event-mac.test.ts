import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMac, maximumMacBytes, verifyMac, withMac } from '../../../src/core/event/event-mac.ts';

const keyOf = (id: string, secret: string) => ({ id, secret: createSecretKey(secret, 'utf8') });
const key = keyOf('0', 'one secret');
const other = keyOf('0', 'another secret');
const event = { id: 'e1', source: 'milepost:clock', type: 't', data: { n: 1 } };
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const isGenuine = (record: Uint8Array, by = key) => {
  const found = findMac(record);
  return found !== undefined && verifyMac(by, found);
};

describe('the MAC of an event', () => {
  it('is the last attribute and contains the HMAC-SHA256 of all preceding bytes in base64url', () => {
    const record = Buffer.from(withMac(bytes(event), key)).toString();
    expect(JSON.parse(record)).toEqual({
      ...event,
      milepostmac: expect.stringMatching(/^0\.[\w-]{43}$/) as string,
    });
    expect(record).toMatch(/"data":\{"n":1\},"milepostmac":"0\.[\w-]{43}"\}$/);
    // The expected value is literal, because a change to the format would invalidate records on streams and in dead
    // letters.
    expect(record.slice(-46, -2)).toBe('.vYcytTlPdj-sp2PogSpxpp6DptNs6fqK3TR3muIDAEk');
  });

  it('is valid for any event, but only with the signing key, and adds at most `maximumMacBytes`', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), (data) => {
        const record = withMac(bytes({ ...event, data }), key);
        expect(isGenuine(record)).toBe(true);
        expect(isGenuine(record, other)).toBe(false);
        expect(record.byteLength - bytes({ ...event, data }).byteLength).toBeLessThanOrEqual(
          maximumMacBytes,
        );
      }),
    );
  });

  it('is invalid if any bit of the record differs', () => {
    const record = withMac(bytes(event), key);
    for (let bit = 0; bit < record.byteLength * 8; bit++) {
      const changed = Buffer.from(record);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      // A changed key id selects another key or none.
      expect(findMac(changed)?.keyId === key.id && isGenuine(changed)).toBe(false);
    }
  });

  it.each([
    ['no MAC', bytes(event)],
    [
      'a MAC that is not the last attribute',
      bytes({ milepostmac: `0.${'a'.repeat(43)}`, ...event }),
    ],
    ['data after the MAC', Buffer.concat([withMac(bytes(event), key), Buffer.from('\n')])],
    ['a MAC that is too short', bytes({ ...event, milepostmac: `0.${'a'.repeat(42)}` })],
    ['a MAC without a key id', bytes({ ...event, milepostmac: 'a'.repeat(43) })],
    [
      'a MAC whose key id is too long',
      bytes({ ...event, milepostmac: `${'1'.repeat(13)}.${'a'.repeat(43)}` }),
    ],
    [
      'a MAC inside the data',
      bytes({ ...event, data: { n: 1, milepostmac: `0.${'a'.repeat(43)}` } }),
    ],
    ['an empty record', new Uint8Array()],
  ])('is not found if there is %s', (_, record) => {
    expect(findMac(record)).toBeUndefined();
  });

  it('is found in a record that is part of a larger buffer', () => {
    const record = withMac(bytes(event), key);
    const larger = Buffer.concat([Buffer.alloc(7, '}'), record, Buffer.alloc(7, '}')]);
    expect(isGenuine(larger.subarray(7, -7))).toBe(true);
    expect(isGenuine(new Uint8Array(larger).subarray(7, -7))).toBe(true);
  });
});
