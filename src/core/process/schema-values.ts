import * as v from 'valibot';
import { messageOf } from '../../common/message-of.ts';
import { pathIn } from '../json/json-pointer.ts';
import { durationMilliseconds } from '../time/duration.ts';

/** The schema of an ISO 8601 duration without years and months, which have no fixed length. */
export const duration = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    try {
      if (dataset.typed) durationMilliseconds(dataset.value);
    } catch (error) {
      addIssue({ message: messageOf(error) });
    }
  }),
);

/** The schema of a JSON Pointer to a value in an event's data. */
export const pointer = v.pipe(
  v.string(),
  v.check(
    (text) => pathIn(text)?.[0] === 'data',
    ({ received }) =>
      `${received} is not a JSON Pointer into the data of an event, such as /data/tier`,
  ),
);
