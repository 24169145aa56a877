import { isLanguage, type Language, languages } from './languages.ts';

/**
 * Translations for a model's customer pages, by language and then by the original text: the model's title, a status, or
 * a milestone's label. Text without a translation appears untranslated.
 */
export type Labels = Readonly<Partial<Record<Language, Readonly<Record<string, string>>>>>;

const maximumLength = 256;

/**
 * Describes the first error in the translations; returns undefined if there is none. `texts` lists the texts that can
 * be translated.
 */
export function labelsViolation(labels: Labels, texts: readonly string[]): string | undefined {
  for (const [language, translations] of Object.entries(labels)) {
    if (!isLanguage(language))
      return `\`labels\` contains the unsupported language ${JSON.stringify(language)}; customer pages support ${languages.join(', ')}`;
    for (const [text, translation] of Object.entries(translations)) {
      const place = `labels.${language}[${JSON.stringify(text)}]`;
      if (!texts.includes(text))
        return `${place} translates text that is not the title, a status, or the label of a milestone`;
      if (translation === '' || translation.length > maximumLength)
        return `${place} must have 1 to ${maximumLength} characters; it has ${translation.length}`;
    }
  }
  return undefined;
}

/** Translates a model's text or returns it unchanged if there is no translation. */
export function translate(labels: Labels | undefined, language: Language, text: string): string {
  const translations = labels?.[language] ?? {};
  return Object.hasOwn(translations, text) ? translations[text]! : text;
}
