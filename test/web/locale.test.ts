import { expect, it } from 'vitest';
import { englishLocale } from '../../web/pure/locale.ts';

it.each([
  [['en-US'], 'en-US'],
  [['de-DE', 'en-AU', 'en'], 'en-AU'],
  [['en'], 'en'],
  [['ar-EG', 'ar'], 'en-GB'],
  [['enm', 'de'], 'en-GB'],
  [[], 'en-GB'],
])('the pages write numbers and dates for the languages %j as in %s', (languages, expected) => {
  expect(englishLocale(languages)).toBe(expected);
});
