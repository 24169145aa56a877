/** The maximum length of a reference, in UTF-16 code units. */
export const maximumReferenceLength = 256;

/**
 * True if a text can be a reference: people read it out or copy it, so it must be short and without control characters.
 */
export const isReference = (text: string): boolean =>
  text !== '' &&
  text.length <= maximumReferenceLength &&
  text.isWellFormed() &&
  !/\p{Cc}/u.test(text);
