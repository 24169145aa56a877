import type { Item } from 'dynalite/db/index.js';

/** The maximum age of an expiry, in seconds: five years. As in AWS, items that expired longer ago are not deleted. */
const maximumAge = 5 * 365 * 24 * 60 * 60;

/** Returns the expiry of an item in seconds since 1970, or undefined if the attribute is not a number. */
export function expiryOf(item: Item, attribute: string): number | undefined {
  const text = Object.hasOwn(item, attribute) ? item[attribute]!.N : undefined;
  return text === undefined ? undefined : Number(text);
}

/**
 * Returns true if an item has expired and must be deleted.
 *
 * @param now seconds since 1970.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-before-you-start.html
 */
export function isExpired(item: Item, attribute: string, now: number): boolean {
  const expiry = expiryOf(item, attribute);
  return expiry !== undefined && expiry < now && !isTooOld(expiry, now);
}

/** Returns true if an item with this expiry is never deleted. Both times are in seconds since 1970. */
export const isTooOld = (expiry: number, now: number): boolean => expiry < now - maximumAge;
