import { withMac } from '../../../src/core/event/event-mac.ts';
import { readKeyRing, signingKey } from '../../../src/core/event/key-ring.ts';
import { EventMacs } from '../../../src/stream/signing/event-macs.ts';

/** A secret value with one key. */
export const oneKey = JSON.stringify({
  0: 'the signing key of the tests, which is used nowhere else',
});

/** Creates MACs with a key ring that never changes. */
export function macsOf(text: string = oneKey): EventMacs {
  const keys = readKeyRing(text);
  return new EventMacs({
    signingKey: () => Promise.resolve(signingKey(keys, Date.now())),
    verificationKey: (id) => Promise.resolve(keys.get(id)),
  });
}

/** Returns the bytes of an event with a MAC. */
export const signed = (event: object, text: string = oneKey): Uint8Array =>
  withMac(Buffer.from(JSON.stringify(event)), signingKey(readKeyRing(text), Date.now()));
