import { InvalidArgumentError } from 'commander';

/** Parses an integer of at least 1. Throws `InvalidArgumentError`. */
export function positiveInteger(text: string): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (number < 1) throw new InvalidArgumentError('It must be an integer of at least 1.');
  return number;
}

/** Parses a number of seconds within limits. Throws `InvalidArgumentError`. */
export function secondsBetween(least: number, most: number, text: string): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds < least || seconds > most)
    throw new InvalidArgumentError(`It must be a number of seconds from ${least} to ${most}.`);
  return seconds;
}
