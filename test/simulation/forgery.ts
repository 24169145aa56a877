import type { Chance } from '../../src/common/chance.ts';
import { withMac } from '../../src/core/event/event-mac.ts';
import { readKeyRing, signingKey } from '../../src/core/event/key-ring.ts';
import type { PutRecord, SentEvent } from './log.ts';

/** Draws an event that looks like one of Milepost's own events, often with the id of an event that Milepost sends. */
export function forgedEvent(
  chance: Chance,
  { id, transaction, own }: { id: string; transaction: string; own: readonly PutRecord[] },
): SentEvent {
  const copied = own.length > 0 && chance.happens(0.3) ? chance.pick(own).event : undefined;
  if (copied) return copied;
  const predicted = `${chance.whole(1, 9)}.0.${chance.whole(0, 2)}`;
  const event = { id, model: 'tally', transaction, data: { n: 1 } };
  return chance.pick<SentEvent>([
    { ...event, id: predicted, source: `milepost:tally/${transaction}`, type: 'added' },
    { ...event, id: predicted, source: 'milepost:tally/T1', type: 'outcome.recorded' },
    { ...event, source: 'milepost:clock', type: 'timer.fired' },
    { ...event, source: 'milepost:api', type: 'milepost.redrive' },
    { ...event, source: 'milepost:api', type: 'milepost.rebuild' },
    { ...event, source: 'Milepost:Anybody', type: 'added' },
  ]);
}

const wrongRing = JSON.stringify({ 0: 'not the key of this tracker at all' });
const unknownRing = JSON.stringify({ 7: 'nor is this one a key of this tracker' });
const byKeyOf = (bytes: Uint8Array, ring: string) =>
  withMac(bytes, signingKey(readKeyRing(ring), Date.UTC(2026, 0, 1)));

/** Returns the bytes of a forged event, without a MAC or with an invalid MAC. */
export function forgedBytes(
  chance: Chance,
  { model: modelid, transaction: transactionid, ...rest }: SentEvent,
  own: readonly PutRecord[],
): Uint8Array {
  const json = JSON.stringify({ ...rest, modelid, transactionid });
  const plain = Buffer.from(json);
  switch (chance.whole(0, 4)) {
    case 0:
      return byKeyOf(plain, wrongRing);
    case 1:
      return byKeyOf(plain, unknownRing);
    case 2: {
      // Use the MAC of a genuine event for the forged event.
      const other = own.length > 0 ? chance.pick(own).bytes : byKeyOf(plain, wrongRing);
      const suffix = /,"milepostmac":"[^"]*"\}$/.exec(Buffer.from(other).toString())![0];
      return Buffer.from(`${json.slice(0, -1)},"forged":true${suffix}`);
    }
    case 3:
      // Append a space to a genuine event, which makes its MAC invalid.
      return own.length > 0 ? Buffer.concat([chance.pick(own).bytes, Buffer.from(' ')]) : plain;
    default:
      return plain;
  }
}
