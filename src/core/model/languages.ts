/** The languages of the customer pages, as BCP 47 tags. */
export const languages = ['ar', 'de', 'en', 'es', 'fr', 'pt'] as const;

/** One of the languages of the customer pages. */
export type Language = (typeof languages)[number];

/** Returns true if the customer pages support a language. */
export const isLanguage = (tag: string): tag is Language =>
  (languages as readonly string[]).includes(tag);
