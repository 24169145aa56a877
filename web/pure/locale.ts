/**
 * Chooses the locale for numbers and dates. The pages are in English, and numbers and dates in the format of another
 * language would be ambiguous in English sentences, such as `1.234 events`.
 *
 * @param languages the user's languages, in order of preference: BCP 47 tags.
 * @returns the user's variety of English; default: British English, which writes the day before the month.
 */
export const englishLocale = (languages: readonly string[]): string =>
  languages.find((tag) => /^en(?:-|$)/i.test(tag)) ?? 'en-GB';

/** The locale for numbers and dates on the pages. */
export const locale = englishLocale(navigator.languages);

/** Formats a count with its noun, such as `1 event` or `1,200 events`. */
export const countOf = (count: number, noun: string): string =>
  `${count.toLocaleString(locale)} ${noun}${count === 1 ? '' : 's'}`;
