import * as v from 'valibot';

/** The schema of `Limit` in a request. Default: the maximum. */
export const requestLimit = (maximum: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maximum)), maximum);
