import type { Chance } from '../../common/chance.ts';

/** The period that the demo data covers. Times are in milliseconds since 1970. */
export interface Period {
  /** When the period starts. */
  readonly start: number;
  /** The current time. Earlier events are sent at once, later events when their time has come. */
  readonly now: number;
  /** When the period ends. */
  readonly end: number;
}

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The share of the busiest hour's traffic in each hour of the day, in UTC. */
const byHour = [
  4, 3, 2, 2, 3, 6, 15, 35, 70, 90, 100, 95, 80, 85, 95, 90, 80, 65, 50, 40, 30, 20, 12, 7,
];

/** The share of a weekday's traffic on a Saturday or Sunday. */
const onWeekends = 0.35;

/**
 * Draws the times at which something begins, in order. Until now, few are at night and on weekends. From now on, they
 * are spread evenly, so that something happens on the pages at any time.
 *
 * @param perWeekday the mean number on a weekday.
 * @param everySoOften the mean time between two of them from now on, in milliseconds. Infinity: none.
 */
export function arrivals(
  chance: Chance,
  { start, now, end }: Period,
  perWeekday: number,
  everySoOften: number,
): number[] {
  const times: number[] = [];
  const busiest = (perWeekday * 100) / byHour.reduce((sum, share) => sum + share, 0);
  // Thinning: draws times at the rate of the busiest hour and keeps the share of the hour that each falls into.
  for (let at = start; ; ) {
    at += exponential(chance, hour / busiest);
    if (at >= now) break;
    if (chance.happens(shareAt(at))) times.push(at);
  }
  for (let at = now; ; ) {
    at += exponential(chance, everySoOften);
    if (!(at < end)) return times;
    times.push(at);
  }
}

function shareAt(time: number): number {
  const moment = new Date(time);
  const isWeekend = moment.getUTCDay() % 6 === 0;
  return (byHour[moment.getUTCHours()]! / 100) * (isWeekend ? onWeekends : 1);
}

/** Draws from an exponential distribution: the time until the next of many independent happenings. */
export function exponential(chance: Chance, mean: number): number {
  return -mean * Math.log(1 - chance.fraction());
}

/** Draws from a log-normal distribution: the duration of a step that is mostly quick and sometimes very slow.
 *
 * @param spread the standard deviation of the logarithm: with 0.5, one in forty takes 2.7 times the median or longer.
 */
export function logNormal(chance: Chance, median: number, spread: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - chance.fraction()));
  const normal = radius * Math.cos(2 * Math.PI * chance.fraction());
  return median * Math.exp(spread * normal);
}
