import { hasAtMostCharacters } from '../../common/has-at-most-characters.ts';
import {
  deadlineOf,
  milestoneReachedType,
  type ProcessDeclaration,
  type ProcessMilestone,
} from './declaration.ts';
import { isCalendar } from './milestone-deadline.ts';
import { lateTimer } from './timer-names.ts';

/** Returns a message for each contradiction between parts of a declaration. */
export function conflictsIn(process: ProcessDeclaration): string[] {
  return [
    ...conflictsOfEvents(process),
    ...process.milestones.flatMap((milestone) => conflictsOfDeadline(process, milestone)),
    ...cyclesIn(process),
    ...(process.extendOn !== undefined && !process.milestones.some(deadlineOf)
      ? ['extendOn requires a milestone with a deadline']
      : []),
    ...conflictsOfReference(process),
  ];
}

function conflictsOfReference({ reference, keep = {} }: ProcessDeclaration): string[] {
  if (reference === undefined || Object.hasOwn(keep, reference)) return [];
  return [`reference is ${JSON.stringify(reference)}, which is not in keep`];
}

/** Returns a message for each event type with two meanings, such as an event that reaches two milestones. */
function conflictsOfEvents({ milestones, cancelOn, extendOn }: ProcessDeclaration): string[] {
  const wrong: string[] = [];
  const takenBy = new Map<string, string>();
  for (const { id, on = milestoneReachedType } of milestones) {
    const other = takenBy.get(on);
    if (other !== undefined && on !== milestoneReachedType)
      wrong.push(`${on} reaches both ${other} and ${id}`);
    takenBy.set(on, id);
  }
  const meanings = new Map([...takenBy].map(([type, id]) => [type, `reaches ${id}`]));
  const claim = (type: string | undefined, meaning: string) => {
    const other = type === undefined ? undefined : meanings.get(type);
    if (other !== undefined && other !== meaning)
      wrong.push(`${type} both ${meaning} and ${other}`);
    else if (type !== undefined) meanings.set(type, meaning);
  };
  claim(cancelOn, 'cancels the process');
  claim(extendOn, 'extends deadlines');
  for (const { deadline } of milestones) {
    claim(deadline?.pausedWhile?.from, 'pauses deadlines');
    claim(deadline?.pausedWhile?.until, 'pauses deadlines');
  }
  return [...new Set(wrong)];
}

function conflictsOfDeadline(
  { milestones, keep = {} }: ProcessDeclaration,
  milestone: ProcessMilestone,
): string[] {
  const deadline = deadlineOf(milestone);
  if (!deadline) return [];
  const { id, expectedWithin } = milestone;
  const { after, tiers, calendar } = deadline;
  const wrong: string[] = [];
  if (expectedWithin !== undefined && milestone.deadline)
    wrong.push('has both expectedWithin and deadline; use deadline: { within }');
  if (!hasAtMostCharacters(lateTimer(id), 200))
    wrong.push(
      'has an expected time, but its id is too long to name a timer; use at most 195 characters',
    );
  if (after !== undefined && !milestones.some((each) => each.id === after))
    wrong.push(
      `has a deadline that starts after ${JSON.stringify(after)}, which is not a milestone`,
    );
  const byKey = calendar === undefined || isCalendar(calendar) ? undefined : calendar;
  for (const key of [tiers?.key, byKey?.key])
    if (key !== undefined && !Object.hasOwn(keep, key))
      wrong.push(`depends on ${JSON.stringify(key)}, which is not in keep`);
  return wrong.map((what) => `the milestone ${id} ${what}`);
}

/** Returns a message for each milestone whose deadline depends, directly or indirectly, on the milestone itself. */
function cyclesIn({ milestones }: ProcessDeclaration): string[] {
  const afterOf = new Map(milestones.map(({ id, deadline }) => [id, deadline?.after]));
  return milestones.flatMap(({ id }) => {
    const path = [id];
    for (let next = afterOf.get(id); next !== undefined; next = afterOf.get(next)) {
      if (next === id)
        return [`the deadline of ${id} depends on ${id} itself: ${[...path, id].join(' after ')}`];
      if (path.includes(next)) return [];
      path.push(next);
    }
    return [];
  });
}
