import { describe, expect, it } from 'vitest';
import { chooseLocale } from '../../src/customer-page/locale.ts';

describe('chooseLocale', () => {
  it.each<[what: string, wanted: (string | null | undefined)[], tag: string]>([
    ['the first language that has a translation', ['nl', 'fr-CA', 'de'], 'fr-CA'],
    ['the first tag with a region for that language', ['en', 'de-AT', 'en-GB', 'en-US'], 'en-GB'],
    ['a tag without its script and extension', ['pt-Latn-PT-u-nu-arab'], 'pt-PT'],
    ['English if no language is known', ['nl', 'ja'], 'en'],
    ['English if no tag is valid', [null, undefined, '', '*', '_', 'x'.repeat(99)], 'en'],
  ])('chooses %s', (_, wanted, tag) => {
    expect(chooseLocale(wanted).tag).toBe(tag);
  });

  it('returns the writing direction of the language', () => {
    expect(chooseLocale(['ar-EG'])).toEqual({ language: 'ar', tag: 'ar-EG', direction: 'rtl' });
    expect(chooseLocale(['es']).direction).toBe('ltr');
  });
});
