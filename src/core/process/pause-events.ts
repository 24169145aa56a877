import { pausesBetween } from '../deadline/pauses.ts';
import { compareTimes } from '../time/compare-times.ts';
import type { ProcessDeclaration } from './declaration.ts';
import type { MilestoneDeadline } from './milestone-deadline.ts';
import { own, type ProcessState } from './state.ts';

/**
 * The maximum number of events of each type that the state keeps to find the pauses. Once this number is exceeded,
 * events that neither begin nor end a pause are dropped.
 */
export const maximumPauseEvents = 200;

type PauseEvents = NonNullable<ProcessState['pause_events']>;
type Pair = NonNullable<MilestoneDeadline['pausedWhile']>;

/** Returns the pairs of event types that pause and resume deadlines. */
export function pausePairs({ milestones }: ProcessDeclaration): Pair[] {
  return milestones.flatMap(({ deadline }) => deadline?.pausedWhile ?? []);
}

/**
 * Adds an event that begins or ends a pause. Returns undefined if the maximum number of events of this type already
 * begin or end pauses. Even then, an event that ends a pause is added; otherwise, the deadline would remain paused.
 */
export function withPauseEvent(
  pairs: readonly Pair[],
  events: PauseEvents,
  type: string,
  time: string,
): PauseEvents | undefined {
  const known = own(events, type) ?? [];
  if (known.some((each) => compareTimes(each, time) === 0)) return events;
  const added = { ...events, [type]: [...known, time].toSorted(compareTimes) };
  if (known.length < maximumPauseEvents) return added;
  const used = usedTimes(pairs, added, type);
  const isEnd = pairs.some(({ until }) => until === type);
  return used.size <= maximumPauseEvents || (isEnd && used.has(time))
    ? { ...added, [type]: added[type]!.filter((each) => used.has(each)) }
    : undefined;
}

/** Returns the times of a type's events that begin or end a pause. */
function usedTimes(pairs: readonly Pair[], events: PauseEvents, type: string): Set<string> {
  const pauses = pairs
    .filter(({ from, until }) => from === type || until === type)
    .flatMap(({ from, until }) => pausesBetween(own(events, from) ?? [], own(events, until) ?? []));
  return new Set(
    pauses.flatMap(({ from, until }) => (until === undefined ? [from] : [from, until])),
  );
}
