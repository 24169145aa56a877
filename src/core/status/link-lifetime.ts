const upTo59 = '(?:[1-9]|[1-5][0-9])';
const inOneDay = [
  `(?:[1-9]|1[0-9]|2[0-3])H(?:${upTo59}M)?(?:${upTo59}S)?`,
  `${upTo59}M(?:${upTo59}S)?`,
  `${upTo59}S`,
].join('|');
const upTo365 = '(?:[1-9]|[1-9][0-9]|[12][0-9][0-9]|3[0-5][0-9]|36[0-5])';
const upTo52 = '(?:[1-9]|[1-4][0-9]|5[0-2])';
const upTo8784 = '(?:[1-9][0-9]{0,2}|[1-7][0-9]{3}|8[0-6][0-9]{2}|87[0-7][0-9]|878[0-4])';

/**
 * Matches the lifetimes that a customer link can have: ISO 8601 durations from 1 second to 366 days. A duration
 * consists of days and a time of less than one day, or of a single unit: up to 52 weeks, 8,784 hours, 99,999 minutes,
 * or 9,999,999 seconds. All parts are integers. The rule is a regular expression so that the OpenAPI description can
 * include it.
 */
export const linkLifetimePattern = new RegExp(
  `^P(?:366D|${upTo52}W|${upTo365}D(?:T(?:${inOneDay}))?|` +
    `T(?:${inOneDay}|${upTo8784}H|[1-9][0-9]{0,4}M|[1-9][0-9]{0,6}S))$`,
);

/** The rule for lifetimes, as quoted in messages about strings that `linkLifetimePattern` rejects. */
export const requiredLinkLifetime = 'an ISO 8601 duration from 1 second to 366 days';
