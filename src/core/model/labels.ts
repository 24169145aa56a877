import { isLanguage, type Language, languages } from './languages.ts';

/**
 * Translations for the customer pages of a model, by language and then by the text that they translate: the model's
 * title, a status or the label of a milestone. Text without a translation appears untranslated.
 */
export type Labels = Readonly<Partial<Record<Language, Readonly<Record<string, string>>>>>;

const maximumLength = 256;

/**
 * Returns the first mistake in the translations; undefined if there is none. `texts` contains the text that can be
 * translated.
 */
export function labelsViolation(labels: Labels, texts: readonly string[]): string | undefined {
  for (const [language, translations] of Object.entries(labels)) {
    if (!isLanguage(language))
      return `labels contains the language ${JSON.stringify(language)}; customer pages support ${languages.join(', ')}`;
    for (const [text, translation] of Object.entries(translations)) {
      const place = `labels.${language}[${JSON.stringify(text)}]`;
      if (!texts.includes(text))
        return `${place} translates text that is not the title, a status or the label of a milestone`;
      if (translation === '' || translation.length > maximumLength)
        return `${place} must have 1 to ${maximumLength} characters; it has ${translation.length}`;
    }
  }
  return undefined;
}

/** Translates text of a model; returns the text unchanged if there is no translation. */
export function translate(labels: Labels | undefined, language: Language, text: string): string {
  const translations = labels?.[language] ?? {};
  return Object.hasOwn(translations, text) ? translations[text]! : text;
}
