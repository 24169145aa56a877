import type { Language } from '../../core/model/languages.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { pt } from './pt.ts';
import type { Texts } from './texts.ts';

/** The texts of customer pages by language. The compiler reports a missing language or text. */
export const allTexts: Readonly<Record<Language, Texts>> = { ar, de, en, es, fr, pt };
