import { hash } from 'node:crypto';

/**
 * Derives a token of six characters, `A-Z` and `0-9`, from an event. The same event always results in the same token,
 * so a model that issues tokens or order ids stays pure.
 *
 * @param event the event that the token is derived from.
 * @param purpose distinguishes several tokens that are derived from one event. Default: empty.
 *
 * @example
 * const order = (event: TrackedEvent) => tokenOf(event, 'order'); // such as '02DL67'
 */
export function tokenOf(
  event: {
    /** The event's `source`. */
    readonly source: string;
    /** The event's `id`. */
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
