/**
 * Returns a progress from 0 to 1, which the API has rounded down to hundredths, as a percentage.
 *
 * @example
 * wholePercent(0.29); // 29, although 0.29 * 100 is less than 29
 */
export const wholePercent = (progress: number): number => Math.round(progress * 100);
