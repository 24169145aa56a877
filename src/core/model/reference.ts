import { hasAtMostCharacters } from '../../common/has-at-most-characters.ts';

/** The maximum length of a reference, in characters. */
export const maximumReferenceLength = 256;

/**
 * True if a text can be a reference: people read it out or copy it, so it must be short and without control characters.
 */
export const isReference = (text: string): boolean =>
  text !== '' &&
  hasAtMostCharacters(text, maximumReferenceLength) &&
  text.isWellFormed() &&
  !/\p{Cc}/u.test(text);
