import * as v from 'valibot';
import { requiredTime, toUtc } from './timestamp.ts';

/** The schema of an RFC 3339 date and time in a model's result. Converts the time to UTC. */
export const utcTime = v.pipe(
  v.string(),
  v.metadata({ format: 'date-time' }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const utc = toUtc(dataset.value);
    if (utc !== undefined) return utc;
    addIssue({ message: `must be ${requiredTime}; got ${JSON.stringify(dataset.value)}` });
    return NEVER;
  }),
);
