import { isLanguage, type Language } from '../core/model/languages.ts';

/** The language of a customer page and the conventions for its dates. */
export interface Locale {
  readonly language: Language;
  /** The language with the customer's region, such as `en-GB`. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
}

/**
 * Chooses the locale of a page. The language is the first requested language with a translation, or English if there is
 * none. The region is the first requested region of this language.
 *
 * @param wanted BCP 47 tags, in order of preference; invalid tags are ignored.
 */
export function chooseLocale(wanted: readonly (string | null | undefined)[]): Locale {
  const known = wanted.flatMap((tag) => parse(tag) ?? []);
  const { language }: { language: Language } = known[0] ?? { language: 'en' };
  const region = known.find((each) => each.language === language && each.region)?.region;
  const tag = region === undefined ? language : `${language}-${region}`;
  return { language, tag, direction: language === 'ar' ? 'rtl' : 'ltr' };
}

/**
 * Returns the language and region of a tag, without extensions such as a different calendar, or undefined if the tag is
 * missing, invalid, or in a language without a translation.
 */
function parse(
  tag: string | null | undefined,
): { readonly language: Language; readonly region?: string } | undefined {
  try {
    const { language, region } = new Intl.Locale(tag!);
    return isLanguage(language) ? { language, region } : undefined;
  } catch {
    return undefined;
  }
}
