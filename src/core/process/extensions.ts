import * as v from 'valibot';
import { compareExtensions, type DeadlineExtension } from '../deadline/deadline-times.ts';
import { toUtc } from '../time/timestamp.ts';
import { unsuitable } from './deadline-schema.ts';
import { deadlineOf, type ProcessDeclaration } from './declaration.ts';
import { duration } from './schema-values.ts';
import { own, type ProcessState } from './state.ts';

/**
 * The maximum number of extensions of a milestone's deadline. An extension with a new deadline replaces the earlier
 * extensions, which no longer count.
 */
export const maximumExtensions = 100;

/** The schema for the data of events that extend a deadline. */
export const extensionData = ({ milestones }: ProcessDeclaration) =>
  v.pipe(
    v.looseObject({
      milestone: v.picklist(milestones.filter(deadlineOf).map(({ id }) => id)),
      by: v.optional(duration),
      until: v.optional(
        v.pipe(
          v.string(),
          v.check((text) => toUtc(text) !== undefined, 'must be an RFC 3339 date and time'),
        ),
      ),
    }),
    v.check(
      ({ by, until }) => (by === undefined) !== (until === undefined),
      'exactly one of by and until is required',
    ),
  );

type ExtensionData = v.InferOutput<ReturnType<typeof extensionData>>;

/** Adds the extension that an event requests; returns the reason if the event must be rejected. */
export function withExtension(
  { milestones }: ProcessDeclaration,
  state: ProcessState,
  time: string,
  data: unknown,
): ProcessState | string {
  const { milestone, by, until } = data as ExtensionData;
  const deadline = deadlineOf(milestones.find(({ id }) => id === milestone)!)!;
  const wrong = by === undefined ? undefined : unsuitable(deadline, by);
  if (wrong) return `by: ${wrong}`;
  const extension: DeadlineExtension =
    by === undefined ? { time, until: toUtc(until!)! } : { time, by };
  const known = own(state.extensions, milestone) ?? [];
  const extensions = effective([...known, extension]);
  if (extensions.length > maximumExtensions)
    return `the deadline of ${milestone} already has ${maximumExtensions} extensions; set a new deadline with until`;
  return { ...state, extensions: { ...state.extensions, [milestone]: extensions } };
}

/** Drops extensions before the latest extension with a new deadline, which replaces them. */
function effective(extensions: readonly DeadlineExtension[]): DeadlineExtension[] {
  const sorted = extensions.toSorted(compareExtensions);
  return sorted.slice(
    Math.max(
      0,
      sorted.findLastIndex((each) => 'until' in each),
    ),
  );
}
