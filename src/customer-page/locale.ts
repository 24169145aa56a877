import { isLanguage, type Language } from '../core/model/languages.ts';

/** The language of a customer's page, and the conventions for its dates. */
export interface Locale {
  readonly language: Language;
  /** The language with the customer's region, such as `en-GB`. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
}

/**
 * Chooses the locale of a page: the first of the wanted languages that the pages have, or English.
 *
 * @param wanted BCP 47 tags, most wanted first; invalid tags are ignored.
 */
export function chooseLocale(wanted: readonly (string | null | undefined)[]): Locale {
  for (const tag of wanted) {
    const found = tag && localeOf(tag);
    if (found) return found;
  }
  return localeOf('en')!;
}

function localeOf(wanted: string): Locale | undefined {
  let locale: Intl.Locale;
  try {
    locale = new Intl.Locale(wanted);
  } catch {
    return undefined;
  }
  // Extensions, such as another calendar, are dropped.
  const { language, region } = locale;
  if (!isLanguage(language)) return undefined;
  const tag = region === undefined ? language : `${language}-${region}`;
  return { language, tag, direction: language === 'ar' ? 'rtl' : 'ltr' };
}
