import * as v from 'valibot';
import { hasAtMostCharacters } from '../../common/has-at-most-characters.ts';
import { messageOf } from '../../common/message-of.ts';
import { issueText } from '../../common/schema-issues.ts';
import { timerFiredType } from '../effects/timer.ts';
import { MilepostError } from '../errors.ts';
import { eventType } from '../event/event.ts';
import { durationMilliseconds } from '../time/duration.ts';
import { lateTimer } from './late-timer.ts';
import type { ProcessState } from './state.ts';

/** A milestone of a process: something a customer waits for, and the event that says it is there. */
export interface ProcessMilestone {
  /** What events, the history and the API call it. */
  readonly id: string;
  /** Its name for people; the status once it is reached. */
  readonly label: string;
  /** The event type that reaches it; left out, it is `milestone.reached` with the data `{ milestone: id }`. */
  readonly on?: string;
  /** How long after the instance's first event it is late: an ISO 8601 duration, `PT48H`, `P7D`. */
  readonly expectedWithin?: string;
  /** True where a process may be complete without it. */
  readonly optional?: boolean;
}

/** A process as it is declared: its milestones in the order in which they are expected. */
export interface ProcessDeclaration {
  /** 1 to 64 of `a-z`, `0-9` and `-`: an event's `modelid`. */
  readonly id: string;
  /** Its name for people; the id in words where left out. */
  readonly title?: string;
  /** A whole number from 1. */
  readonly version?: number;
  /** What customers wait for, in the order in which it is expected; at least one is not optional. */
  readonly milestones: readonly ProcessMilestone[];
  /** The event type that cancels it; the data may say why: `{ reason }`. */
  readonly cancelOn?: string;
  /**
   * Takes over the state that another version of the process left, as a model's `migrate` does. Only
   * where milestones got other ids, or should count as reached: one that is new is not reached, and one
   * that is gone is not shown.
   *
   * @param state the state that the other version left.
   * @param from the number of that version.
   * @returns The state as this version needs it.
   */
  migrate?(state: ProcessState, from: number): ProcessState;
}

/** The event type that reaches every milestone without one of its own. */
export const milestoneReachedType = 'milestone.reached';

const duration = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    try {
      if (dataset.typed) durationMilliseconds(dataset.value);
    } catch (error) {
      addIssue({ message: messageOf(error) });
    }
  }),
);

const own = v.pipe(
  eventType,
  v.check((type) => type !== timerFiredType, `${timerFiredType} is Milepost's own`),
);

const declaration = v.strictObject({
  id: v.string(),
  title: v.optional(v.string()),
  version: v.optional(v.number()),
  milestones: v.pipe(
    v.array(
      v.strictObject({
        id: v.string(),
        label: v.string(),
        on: v.optional(own),
        expectedWithin: v.optional(duration),
        optional: v.optional(v.boolean()),
      }),
    ),
    v.check(
      (milestones) => milestones.some(({ optional }) => !optional),
      'there must be one that is not optional, or it would never be done',
    ),
  ),
  cancelOn: v.optional(own),
  migrate: v.optional(v.function()),
});

/**
 * A declaration, checked; what any model must keep to is left to `defineModel`.
 *
 * @throws MilepostError `bad-model` with everything that is wrong.
 */
export function checkDeclaration(declared: ProcessDeclaration): ProcessDeclaration {
  const parsed = v.safeParse(declaration, declared);
  const wrong = parsed.success
    ? conflicts(declared)
    : parsed.issues.map((issue) => issueText(issue));
  if (wrong.length === 0) return declared;
  throw new MilepostError(
    'bad-model',
    `process ${JSON.stringify(declared?.id)}: ${wrong.join('; ')}`,
  );
}

function conflicts({ milestones, cancelOn }: ProcessDeclaration): string[] {
  const wrong: string[] = [];
  const takenBy = new Map<string, string>();
  for (const { id, on = milestoneReachedType, expectedWithin } of milestones) {
    const other = takenBy.get(on);
    if (other !== undefined && on !== milestoneReachedType)
      wrong.push(`${on} reaches both ${other} and ${id}`);
    takenBy.set(on, id);
    if (expectedWithin !== undefined && !hasAtMostCharacters(lateTimer(id), 200))
      wrong.push(`the milestone ${id} has an expected time, and an id too long to name a timer`);
  }
  if (cancelOn !== undefined && takenBy.has(cancelOn))
    wrong.push(`${cancelOn} cancels it, and reaches ${takenBy.get(cancelOn)}`);
  return wrong;
}
