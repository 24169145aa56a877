import { describe, expect, it } from 'vitest';
import { DateWords } from '../../src/customer-page/date-words.ts';
import { chooseLocale } from '../../src/customer-page/locale.ts';

/** The current time: a Tuesday, at 16:30 in Berlin. */
const now = '2026-11-24T15:30:00Z';

/** Returns the words for times in Berlin, without the name of the time zone. */
function words(tag: string, at = now, timeZone = 'Europe/Berlin') {
  const all = new DateWords(chooseLocale([tag]), Date.parse(at), timeZone);
  const withoutZone = (text: string) => text.replace(` (${timeZone})`, '');
  return {
    at: (time: string) => withoutZone(all.at(time)),
    expected: (time: string) => withoutZone(all.expected(time)),
    likely: (time: string) => withoutZone(all.likely(time)),
  };
}

describe('a deadline', () => {
  it.each<[what: string, time: string, words: string]>([
    ['later today', '2026-11-24T16:00:00Z', 'expected today by 17:00'],
    ['tomorrow', '2026-11-25T16:00:00Z', 'expected tomorrow by 17:00'],
    ['in two days', '2026-11-26T16:00:00Z', 'expected on Thursday 26 November'],
    ['in three days', '2026-11-27T16:00:00Z', 'expected on Friday 27 November'],
    ['in another year', '2027-01-08T16:00:00Z', 'expected on Friday, 8 January 2027'],
    ['earlier today', '2026-11-24T14:00:00Z', 'was expected today by 15:00'],
    ['yesterday', '2026-11-23T14:00:00Z', 'was expected yesterday'],
    ['last week', '2026-11-20T14:00:00Z', 'was expected on Friday 20 November'],
  ])('is described in words: %s', (_, time, expected) => {
    expect(words('en-GB').expected(time)).toBe(expected);
  });

  it('is described by its date in the given time zone', () => {
    const lateAtNight = '2026-11-24T23:30:00Z';
    expect(words('en-GB').expected(lateAtNight)).toBe('expected tomorrow by 00:30');
    expect(words('en-GB', now, 'UTC').expected(lateAtNight)).toBe('expected today by 23:30');
  });

  it('is described in calendar days even if a month ends before it', () => {
    expect(words('en-GB', '2026-02-28T12:00:00Z').expected('2026-03-01T12:00:00Z')).toBe(
      'expected tomorrow by 13:00',
    );
  });

  it('is described in calendar days even if daylight saving time ends before it', () => {
    const beforeChange = '2026-10-24T21:30:00Z';
    expect(words('en-GB', beforeChange).expected('2026-10-25T22:30:00Z')).toBe(
      'expected tomorrow by 23:30',
    );
  });
});

describe('the exact time', () => {
  it('contains the weekday, the date, and the time zone', () => {
    const exact = new DateWords(chooseLocale(['en-GB']), Date.parse(now), 'UTC').exact(now);
    expect(exact).toMatch(/^Tuesday,? 24 November 2026 at 15:30:00 UTC$/);
  });
});

describe('the words for times', () => {
  it('name the time zone only if it differs from the zone of the browser', () => {
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const withZone = new DateWords(chooseLocale(['en']), Date.parse(now), zone).at(now);
    expect(withZone.endsWith(` (${zone})`)).toBe(true);
    expect(`${new DateWords(chooseLocale(['en']), Date.parse(now)).at(now)} (${zone})`).toBe(
      withZone,
    );
  });

  const [tomorrow, friday, yesterday, today] = [
    '2026-11-25T16:00:00Z',
    '2026-11-27T16:00:00Z',
    '2026-11-23T14:00:00Z',
    '2026-11-24T14:05:00Z',
  ] as const;

  it.each<[tag: string, ...expected: string[]]>([
    [
      'de',
      'morgen bis 17:00 Uhr erwartet',
      'am Freitag, 27. November erwartet',
      'wurde gestern erwartet',
      'voraussichtlich morgen',
      'heute um 15:05 Uhr',
    ],
    [
      'en-US',
      'expected tomorrow by 5:00 PM',
      'expected on Friday, November 27',
      'was expected yesterday',
      'probably tomorrow',
      'today at 3:05 PM',
    ],
    [
      'es',
      'previsto para mañana antes de las 17:00',
      'previsto para el viernes 27 de noviembre',
      'estaba previsto para ayer',
      'probablemente mañana',
      'hoy a las 15:05',
    ],
    [
      'fr',
      'prévu demain avant 17:00',
      'prévu le vendredi 27 novembre',
      'était prévu hier',
      'probablement demain',
      'aujourd’hui à 15:05',
    ],
    [
      'pt-BR',
      'previsto para amanhã até às 17:00',
      'previsto para sexta-feira, 27 de novembro',
      'estava previsto para ontem',
      'provavelmente amanhã',
      'hoje às 15:05',
    ],
    [
      'ar-AE',
      'متوقعة غدًا قبل الساعة 5:00 م',
      'متوقعة يوم الجمعة، 27 نوفمبر',
      'كانت متوقعة أمس',
      'على الأرجح غدًا',
      'اليوم، الساعة 3:05 م',
    ],
  ])('are in the language %s', (tag, ...expected) => {
    const { at, expected: deadline, likely } = words(tag);
    const spoken = [
      deadline(tomorrow),
      deadline(friday),
      deadline(yesterday),
      likely(tomorrow),
      at(today),
    ];
    // Some versions of ICU separate times and day periods with narrow spaces.
    expect(spoken.map((each) => each.replaceAll(/\s/gu, ' '))).toEqual(expected);
  });
});

describe('the words for times follow the grammar of the language', () => {
  it.each<[tag: string, time: string, words: string]>([
    ['es', '2026-11-24T00:05:00Z', 'hoy a la 1:05'],
    ['es-MX', '2026-11-24T12:05:00Z', 'hoy a la 1:05 p.m.'],
    ['es', '2026-11-24T10:05:00Z', 'hoy a las 11:05'],
    ['es', '2026-12-01T09:00:00Z', 'el martes 1 de diciembre a las 10:00'],
    ['pt', '2026-11-24T00:05:00Z', 'hoje à 01:05'],
    ['pt', '2026-11-24T10:05:00Z', 'hoje às 11:05'],
    ['pt', '2026-12-01T09:00:00Z', 'terça-feira, 1º de dezembro às 10:00'],
    ['pt', '2026-12-21T09:00:00Z', 'segunda-feira, 21 de dezembro às 10:00'],
    ['fr', '2026-12-01T09:00:00Z', 'le mardi 1er décembre à 10:00'],
    ['fr', '2026-12-21T09:00:00Z', 'le lundi 21 décembre à 10:00'],
  ])('%s: %s', (tag, time, expected) => {
    expect(words(tag).at(time).replaceAll(/\s/gu, ' ')).toBe(expected);
  });

  it.each<[tag: string, words: string]>([
    ['es', 'estaba previsto para hoy antes de la 1:05'],
    ['pt', 'estava previsto para hoje até à 01:05'],
  ])('a deadline at one o’clock: %s', (tag, expected) => {
    expect(words(tag).expected('2026-11-24T00:05:00Z')).toBe(expected);
  });
});

describe('a time on a page without scripts', () => {
  it('includes its time zone', () => {
    const utc = new DateWords(chooseLocale(['de']), Date.parse(now), 'UTC');
    expect(utc.at('2026-11-24T14:05:00Z')).toBe('heute um 14:05 Uhr (UTC)');
  });
});
