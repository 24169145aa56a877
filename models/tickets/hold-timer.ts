import { hash } from 'node:crypto';
import type { Stock } from './stock.ts';

const prefix = 'reservation/';
const longPrefix = 'long-reservation/';
/** The maximum length of a customer's id in a timer's name, which can have at most 200 characters. */
const longestInName = 200 - prefix.length;

/**
 * Returns the name of the timer that ends a customer's hold. If the customer's id does not fit in the name, a digest
 * replaces it.
 */
export const holdTimer = (who: string): string =>
  Array.from(who).length <= longestInName ? prefix + who : longPrefix + hash('sha256', who);

/** Returns true if a timer ends a hold. */
export const isHoldTimer = (timer: string): boolean =>
  timer.startsWith(prefix) || timer.startsWith(longPrefix);

/** Returns the customer whose hold a timer ends; undefined if the timer has a digest and the hold has already ended. */
export const holderOf = ({ reservations }: Stock, timer: string): string | undefined =>
  timer.startsWith(prefix)
    ? timer.slice(prefix.length)
    : Object.keys(reservations).find((who) => holdTimer(who) === timer);
