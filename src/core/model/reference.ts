import { hasAtMostCharacters } from '../../common/has-at-most-characters.ts';

/** The maximum length of a reference, in characters. */
export const maximumReferenceLength = 256;

/**
 * Returns true if a string can be a reference. Customers read references aloud or copy them, so a reference must be
 * short and contain no control characters.
 */
export const isReference = (text: string): boolean =>
  text !== '' &&
  hasAtMostCharacters(text, maximumReferenceLength) &&
  text.isWellFormed() &&
  !/\p{Cc}/u.test(text);
