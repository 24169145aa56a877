import { expect, it } from 'vitest';
import { countOf, englishLocale } from '../../web/pure/locale.ts';

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

it('the noun after a count is in the plural, except after 1', () => {
  expect([0, 1, 2, 1200].map((count) => countOf(count, 'event'))).toEqual([
    '0 events',
    '1 event',
    '2 events',
    '1,200 events',
  ]);
});
