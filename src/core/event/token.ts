import { hash } from 'node:crypto';

/**
 * Derives six characters of `A-Z0-9` from an event, so that a model that issues tokens or order ids
 * stays a pure function.
 *
 * @param event the event that the token is derived from.
 * @param purpose distinguishes several tokens derived from one event.
 *
 * @example
 * const order = (event: TrackedEvent) => tokenOf(event, 'order'); // such as '02DL67'
 */
export function tokenOf(
  event: {
    /** The event's source. */
    readonly source: string;
    /** The event's id. */
    readonly id: string;
  },
  purpose = '',
): string {
  const digest = BigInt(`0x${hash('sha256', JSON.stringify([event.source, event.id, purpose]))}`);
  return Array.from(
    { length: 6 },
    (_, i) => alphabet[Number((digest >> BigInt(i * 8)) % 36n)],
  ).join('');
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
