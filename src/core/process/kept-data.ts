import type { TrackedEvent } from '../event/event.ts';
import type { Json } from '../json/json.ts';
import { pathIn, valueAt } from '../json/json-pointer.ts';
import { compareTimes } from '../time/compare-times.ts';
import { requiredTime, toUtc } from '../time/timestamp.ts';
import type { ProcessDeclaration } from './declaration.ts';
import { own, type ProcessState } from './state.ts';

/**
 * Returns the name under which the state keeps a milestone's promised time. Names in `keep` cannot contain a slash, so
 * they cannot equal this name.
 */
const promiseOf = (milestone: string) => `due/${milestone}`;

/** Returns why an event's data cannot be kept; undefined if it can. */
export function keptDataViolation(
  { milestones }: ProcessDeclaration,
  data: unknown,
): string | undefined {
  const wrong = milestones
    .flatMap(({ deadline }) => deadline?.due ?? [])
    .find((pointer) => {
      const value = valueIn(data, pointer);
      return value !== undefined && value !== null && promisedTime(value) === undefined;
    });
  // The reason must not contain the value, which may be personal data.
  return wrong && `${wrong} must be ${requiredTime}, or null`;
}

/**
 * Adds to the state the values that the process keeps from an event, except values that the state already contains from
 * a later event.
 */
export function withKeptData(
  { keep = {}, milestones }: ProcessDeclaration,
  state: ProcessState,
  { time, data }: Pick<TrackedEvent, 'time'> & { readonly data: unknown },
): ProcessState {
  const promises = milestones.flatMap(({ id, deadline }) =>
    deadline?.due === undefined ? [] : [[promiseOf(id), deadline.due] as const],
  );
  return [...Object.entries(keep), ...promises].reduce((kept, [name, pointer]) => {
    const value = valueIn(data, pointer);
    if (value === undefined || !isLater(kept, name, time, value)) return kept;
    return {
      ...kept,
      kept: { ...kept.kept, [name]: value },
      kept_at: { ...kept.kept_at, [name]: time },
    };
  }, state);
}

/** Returns the promised time of a milestone and the time of the promise; undefined without a promise. */
export function promiseFor(
  { kept, kept_at }: ProcessState,
  milestone: string,
): { readonly time: string; readonly until: string } | undefined {
  const name = promiseOf(milestone);
  const [time, until] = [own(kept_at, name), promisedTime(own(kept, name))];
  return time === undefined || until === undefined ? undefined : { time, until };
}

const valueIn = (data: unknown, pointer: string): Json | undefined =>
  valueAt({ data: data as Json }, pathIn(pointer)!);

const promisedTime = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? toUtc(value) : undefined;

/**
 * Returns true if a value replaces the kept value. If both values have the same time, the value whose JSON sorts last
 * wins, so the order of arrival does not matter.
 */
function isLater(state: ProcessState, name: string, time: string, value: Json): boolean {
  const known = own(state.kept_at, name);
  if (known === undefined) return true;
  const order = compareTimes(time, known);
  return (
    order > 0 || (order === 0 && JSON.stringify(value) > JSON.stringify(own(state.kept, name)))
  );
}
