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

/** A milestone of a process: a step that a customer waits for, and the event that reaches it. */
export interface ProcessMilestone {
  /** The id in events, the history and the API. */
  readonly id: string;
  /** The display name, and the status of the process once the milestone is reached. */
  readonly label: string;
  /** The event type that reaches the milestone. Default: `milestone.reached` with the data `{ milestone: id }`. */
  readonly on?: string;
  /**
   * The time after the instance's first event at which the milestone becomes late: an ISO 8601 duration, such as
   * `PT48H` or `P7D`.
   */
  readonly expectedWithin?: string;
  /** True if a process can be complete without this milestone. Default: false. */
  readonly optional?: boolean;
}

/** The declaration of a process. */
export interface ProcessDeclaration {
  /** The id of the process, which is the `modelid` of its events: 1 to 64 of the characters `a-z`, `0-9` and `-`. */
  readonly id: string;
  /** The display name. Default: derived from the id. */
  readonly title?: string;
  /** The version of the process, an integer from 1. Default: 1. */
  readonly version?: number;
  /** The milestones in their expected order. At least one milestone must not be optional. */
  readonly milestones: readonly ProcessMilestone[];
  /** The event type that cancels the process. The data of the event can contain a reason: `{ reason }`. */
  readonly cancelOn?: string;
  /**
   * Converts the state that another version of the process stored, like a model's `migrate`. It is only needed if the
   * ids of milestones changed, or if new milestones should count as reached. By default, a new milestone is not
   * reached and a removed milestone is not shown.
   *
   * @param state the state that the other version stored.
   * @param from the number of that version.
   * @returns the state for this version.
   */
  migrate?(state: ProcessState, from: number): ProcessState;
}

/** The event type that reaches every milestone without an `on`. */
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
  v.check((type) => type !== timerFiredType, `${timerFiredType} is reserved for Milepost`),
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
      'at least one must not be optional, or the process would never be done',
    ),
  ),
  cancelOn: v.optional(own),
  migrate: v.optional(v.function()),
});

/**
 * Validates a declaration, except for the rules of every model, which `defineModel` checks.
 *
 * @throws MilepostError `bad-model` with every mistake.
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
      wrong.push(
        `the milestone ${id} has an expected time, but its id is too long to name a timer; use at most 195 characters`,
      );
  }
  if (cancelOn !== undefined && takenBy.has(cancelOn))
    wrong.push(`${cancelOn} both cancels the process and reaches ${takenBy.get(cancelOn)}`);
  return wrong;
}
