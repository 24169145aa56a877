import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  hasLeadTime,
  leadTime,
  readKeyRing,
  withNewKey,
} from '../../../src/core/event/key-ring.ts';
import { EventMacs } from '../../../src/stream/signing/event-macs.ts';
import {
  KeyRingCache,
  keyRingTtl,
  minimumReadInterval,
} from '../../../src/stream/signing/key-ring-cache.ts';
import { oneKey } from '../../support/data/event-macs.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let clock: ManualClock;
/** The value of the secret; undefined if the secret cannot be read. */
let secret: string | undefined;
/** True if Secrets Manager does not respond. */
let isSilent: boolean;
let reads: number;
let stale: unknown[];

beforeEach(() => {
  clock = new ManualClock();
  secret = oneKey;
  isSilent = false;
  reads = 0;
  stale = [];
});

const newCache = () =>
  new KeyRingCache({
    read: () => {
      reads++;
      if (isSilent) return new Promise<never>(() => undefined);
      return secret === undefined
        ? Promise.reject(new Error('throttled'))
        : Promise.resolve(secret);
    },
    clock,
    onStale: (error) => stale.push(error),
  });
const busy = expect.objectContaining({ code: 'busy' }) as Error;

describe('KeyRingCache', () => {
  it('reads nothing until a key is needed, and then reads once for concurrent callers', async () => {
    const cache = newCache();
    expect(reads).toBe(0);
    const keys = await Promise.all([
      cache.signingKey(),
      cache.verificationKey('0'),
      cache.signingKey(),
    ]);
    expect(keys.map((key) => key?.id)).toEqual(['0', '0', '0']);
    expect(reads).toBe(1);
  });

  it('reads the ring again after five minutes and signs with a new key after its lead time', async () => {
    const cache = newCache();
    await cache.signingKey();
    secret = withNewKey(oneKey, clock.now(), 'x'.repeat(43));
    await clock.advance(keyRingTtl - 1);
    await cache.signingKey();
    expect(reads).toBe(1);
    await clock.advance(1);
    await cache.signingKey();
    expect(reads).toBe(2);
    await clock.advance(leadTime * 1000);
    expect((await cache.signingKey()).id).not.toBe('0');
  });

  it('reads the ring again if the clock was set back', async () => {
    const cache = newCache();
    await cache.signingKey();
    secret = withNewKey(oneKey, clock.now(), 'x'.repeat(43));
    clock.setBack(24 * 60 * 60 * 1_000);
    const added = [...readKeyRing(secret).keys()].at(-1)!;
    expect(await cache.verificationKey(added)).toMatchObject({ id: added });
  });

  it('fails with `busy` until it has read a key ring, and retries on each call', async () => {
    const cache = newCache();
    secret = undefined;
    await expect(cache.signingKey()).rejects.toThrow(busy);
    await expect(cache.verificationKey('0')).rejects.toThrow(/cannot be read: throttled/);
    secret = oneKey;
    expect((await cache.signingKey()).id).toBe('0');
    expect(stale).toEqual([]);
  });

  it('waits at most two seconds for a response', async () => {
    const cache = newCache();
    isSilent = true;
    const asked = cache.signingKey().catch((error: Error) => error.message);
    await clock.advance(2_000);
    expect(await asked).toMatch(/no response within 2000 ms/);
    isSilent = false;
    expect((await cache.signingKey()).id).toBe('0');
  });

  it('fails with `bad-secret` if the secret is not a key ring', async () => {
    secret = 'hunter2';
    await expect(newCache().signingKey()).rejects.toThrow(
      expect.objectContaining({ code: 'bad-secret' }),
    );
  });

  it('keeps using a stale ring while refreshes fail, retries twice a minute, and reports each failure', async () => {
    const cache = newCache();
    await cache.signingKey();
    await clock.advance(keyRingTtl);
    secret = undefined;
    for (let call = 0; call < 100; call++) {
      expect((await cache.signingKey()).id).toBe('0');
      expect((await cache.verificationKey('0'))?.id).toBe('0');
    }
    expect([reads, stale.length]).toEqual([2, 1]);
    await clock.advance(minimumReadInterval);
    await cache.signingKey();
    expect([reads, stale.length]).toEqual([3, 2]);
  });

  it('refreshes for unknown keys, but at most twice a minute', async () => {
    const cache = newCache();
    await cache.signingKey();
    await clock.advance(minimumReadInterval);
    for (let forged = 1; forged < 100; forged++)
      expect(await cache.verificationKey(String(forged))).toBeUndefined();
    expect(reads).toBe(2);
  });

  it('fails with `busy` instead of reporting an unknown key while the key ring cannot be refreshed', async () => {
    const cache = newCache();
    await cache.signingKey();
    await clock.advance(keyRingTtl);
    secret = undefined;
    await expect(cache.verificationKey('7')).rejects.toThrow(busy);
    // After a successful refresh, the ring contains every key that can sign now, so the key is unknown.
    secret = oneKey;
    await clock.advance(minimumReadInterval);
    await cache.signingKey();
    secret = undefined;
    await clock.advance(minimumReadInterval);
    expect(await cache.verificationKey('7')).toBeUndefined();
  });
});

describe('rotations of the signing keys', () => {
  /** An action, the number of the function that performs it, and the delay before the action in seconds. */
  const happening = fc.record({
    seconds: fc.constantFrom(0, 0, 1, 31, 61, 301, 1_700, 3_601),
    what: fc.constantFrom('sign', 'verify', 'begin', 'finish', 'outage', 'end of outage', 'start'),
    who: fc.nat(1),
  });

  it('keep every genuine event valid, regardless of when functions read the ring', async () => {
    let verified = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 40, maxLength: 80 }), async (story) => {
        clock = new ManualClock();
        secret = oneKey;
        let current = oneKey;
        let pending: string | undefined;
        let isOut = false;
        let outUntil = Number.NEGATIVE_INFINITY;
        const functions = [0, 1].map(() => new EventMacs(newCache()));
        const records: Uint8Array[] = [];
        for (const { seconds, what, who } of story) {
          await clock.advance(seconds * 1000);
          if (what === 'start') functions[who] = new EventMacs(newCache());
          if (what === 'outage') isOut = true;
          if (what === 'end of outage' && isOut) {
            isOut = false;
            outUntil = clock.now();
          }
          if (what === 'begin') pending ??= withNewKey(current, clock.now(), 'x'.repeat(43));
          if (what === 'finish' && pending) {
            if (hasLeadTime(pending, clock.now())) current = pending;
            pending = undefined;
          }
          secret = isOut ? undefined : current;
          if (what === 'sign') {
            const data = Buffer.from(JSON.stringify({ id: records.length }));
            const signed = functions[who]!.sign([{ partitionKey: 'k', data }]);
            records.push(...(await signed.catch(() => [])).map((record) => record.data));
          }
          if (what !== 'verify') continue;
          for (const record of records.slice(-3)) {
            // During an outage and until the next read, verification can fail with `busy`, but never treats the record
            // as a forgery.
            const mayBeBusy = isOut || clock.now() - outUntil < minimumReadInterval;
            const verdict = await functions[who]!.findFlaw(record).catch(
              (error: { code: string }) => error.code,
            );
            expect(mayBeBusy ? [undefined, 'busy'] : [undefined]).toContain(verdict);
            verified++;
          }
        }
      }),
    );
    expect(verified).toBeGreaterThan(1_000);
  });

  it('never let a function sign with a key that another function with an older, unexpired ring does not know', async () => {
    const delay = fc.integer({ min: 0, max: 2 * leadTime });
    await fc.assert(
      fc.asyncProperty(delay, fc.nat(keyRingTtl / 1000), async (ending, signing) => {
        clock = new ManualClock();
        secret = oneKey;
        const pending = withNewKey(oneKey, clock.now(), 'x'.repeat(43));
        await clock.advance(ending * 1000);
        const [before, after] = [new EventMacs(newCache()), new EventMacs(newCache())];
        const sign = async (by: EventMacs) => {
          const [record] = await by.sign([{ partitionKey: 'k', data: Buffer.from('{"id":1}') }]);
          return record!.data;
        };
        await sign(before);
        if (hasLeadTime(pending, clock.now())) secret = pending;
        await clock.advance(signing * 1000);
        const record = await sign(after);
        secret = undefined;
        expect(await before.findFlaw(record).catch(() => undefined)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});
