import { hash } from 'node:crypto';
import { hasAtMostCharacters } from '../../common/has-at-most-characters.ts';
import type { InstanceKey } from './event.ts';

/** The prefix of the sources of events that Milepost itself puts on the stream. */
const prefix = 'milepost:';

/** The source of `timer.fired` events, which the clock sends. */
export const clockSource = `${prefix}clock`;
/**
 * The source of the events that request redrives and rebuilds. The HTTP API sends these events for operators. The
 * dispatcher sends a redrive event to continue a long redrive.
 */
export const apiSource = `${prefix}api`;

/** The prefix of a digest that replaces a transaction id. */
const digestPrefix = 'sha256:';

/**
 * Returns the source of an instance's outgoing events: its model and transaction id. Only Milepost can send events with
 * this source, so a model can compare it with `event.source` to check which instance sent an event. If the
 * source would exceed 256 characters, it contains a digest in place of the transaction id. To keep sources unique, a
 * digest also replaces a transaction id that looks like a digest.
 *
 * @param instance the instance's model and transaction id, or one of its events.
 *
 * @example
 * const isFromCustomer = (event: TrackedEvent, who: string) =>
 *   event.source === instanceSource({ model: 'customer', transaction: who });
 */
export function instanceSource(instance: InstanceKey): string {
  const { model, transaction } = instance;
  const source = `${prefix}${model}/${transaction}`;
  if (hasAtMostCharacters(source, 256) && !transaction.startsWith(digestPrefix)) return source;
  return `${prefix}${model}/${digestPrefix}${hash('sha256', transaction)}`;
}

/**
 * Returns true if a source is reserved for Milepost's own events. A source is a URI, and URI schemes are
 * case-insensitive (RFC 3986, section 3.1): `Milepost:clock` is also reserved.
 */
export const isReservedSource = (source: string): boolean => /^milepost:/i.test(source);
