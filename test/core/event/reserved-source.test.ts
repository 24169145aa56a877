import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEvent } from '../../../src/core/event/event.ts';
import {
  apiSource,
  clockSource,
  instanceSource,
  isReservedSource,
} from '../../../src/core/event/reserved-source.ts';

const transaction = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 256 })
  .filter((text) => Array.from(text).length <= 256 && !/\p{Cc}/u.test(text));

describe('an event source', () => {
  it.each([
    'milepost:clock',
    'milepost:',
    'Milepost:clock',
    'MILEPOST:tickets/E1',
    'milepost: clock',
    'milepost:\u0000',
  ])('%j is reserved', (source) => {
    expect(isReservedSource(source)).toBe(true);
  });

  it.each([
    'milepost',
    'milepost/clock',
    ' milepost:clock',
    '\ufeffmilepost:clock',
    'mіlepost:clock', // with a Cyrillic і
    'mılepost:clock', // with a dotless ı
    'milepoſt:clock', // with a long ſ
    'milepost：clock', // with a full-width colon
    'x-milepost:clock',
    'urn:milepost:clock',
  ])('%j is not reserved and is not the source of the clock', (source) => {
    expect(isReservedSource(source)).toBe(false);
    expect(source).not.toBe(clockSource);
  });

  it('of an instance is reserved, fits into an event, and is unique', () => {
    const ofInstance = (name: string) => instanceSource({ model: 'tickets', transaction: name });
    fc.assert(
      fc.property(transaction, transaction, (a, b) => {
        const source = ofInstance(a);
        expect(isReservedSource(source)).toBe(true);
        const event = { id: 'e', type: 't', modelid: 'm', transactionid: 'T', source };
        expect(checkEvent(event, 0).ok).toBe(true);
        // An instance whose transaction id equals the digest has a different source.
        const digested = source.slice('milepost:tickets/'.length);
        const others = [b, digested].filter((other) => other !== a);
        expect(others.map(ofInstance)).not.toContain(source);
      }),
    );
    expect([apiSource, clockSource]).not.toContain(ofInstance('x'));
  });
});
