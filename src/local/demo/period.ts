import type { Chance } from '../../common/chance.ts';

/** The period that the demo data covers. Times are in milliseconds since 1970. */
export interface Period {
  readonly start: number;
  /** The current time. Earlier events are sent immediately, and later events at their time. */
  readonly now: number;
  readonly end: number;
}

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The traffic in each hour of the day in UTC, as a percentage of the traffic in the busiest hour. */
const byHour = [
  4, 3, 2, 2, 3, 6, 15, 35, 70, 90, 100, 95, 80, 85, 95, 90, 80, 65, 50, 40, 30, 20, 12, 7,
];

/** The traffic on a Saturday or Sunday, as a fraction of a weekday's traffic. */
const onWeekends = 0.35;

/**
 * Draws the start times of instances, in order. In the past, fewer instances start at night and on weekends. From now
 * on, they start at a constant rate so that the pages always show activity.
 *
 * @param perWeekday the average number of instances that start on a weekday.
 * @param everySoOften the average time between starts from now on, in milliseconds. `Infinity` for no starts.
 */
export function arrivals(
  chance: Chance,
  { start, now, end }: Period,
  perWeekday: number,
  everySoOften: number,
): number[] {
  const times: number[] = [];
  const busiest = (perWeekday * 100) / byHour.reduce((sum, share) => sum + share, 0);
  // Thinning: draw times at the rate of the busiest hour, and keep the fraction that belongs to the hour of each time.
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

/** Draws from an exponential distribution, which models the time until the next of many independent events. */
export function exponential(chance: Chance, mean: number): number {
  return -mean * Math.log(1 - chance.fraction());
}

/**
 * Draws from a log-normal distribution, which models the duration of a step that is usually fast and sometimes very
 * slow.
 *
 * @param spread the standard deviation of the logarithm: with 0.5, one in forty values is at least 2.7 times the
 *   median.
 */
export function logNormal(chance: Chance, median: number, spread: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - chance.fraction()));
  const normal = radius * Math.cos(2 * Math.PI * chance.fraction());
  return median * Math.exp(spread * normal);
}
