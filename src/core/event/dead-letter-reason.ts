import { escapeControls } from '../../common/escape.ts';
import { requiredTime } from '../time/timestamp.ts';

/** The reason for parking an event behind an earlier event of its instance. */
export const behindReason = 'an earlier event of the instance is parked';

interface Reasoned {
  readonly reason: string;
  readonly eventId?: string | null | undefined;
}

/** The parts of reasons that differ between dead letters with the same cause. */
const varyingParts: readonly RegExp[] = [
  // The id of an invocation, which Lambda adds to the messages of timeouts and of processes that ended.
  /(?:RequestId: |\d{4}-\d\d-\d\dT[\d:.]+Z )[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12} /g,
  // The invalid value of an attribute, as JSON that may be truncated.
  new RegExp(
    String.raw`(?<=\btime must be ${requiredTime}|\b(?:modelid|replyto) must [^;"]+); got (?:"(?:[^"\\]|\\.)*?(?:"|\\?…(?=; |$))|[^";][^;]*)`,
    'g',
  ),
  // The message of the JSON parser, which quotes the record.
  /(?<=^(?:not a notification: )?not JSON): .*/s,
  /(?<=^too large): \d+ bytes/,
  /(?<=^the number )\S+ (?=has no exact representation)/,
];

/**
 * Returns the reason of a dead letter without the parts that differ between dead letters with the same cause: the event
 * id (if a model failed on the event), the ids of invocations, and quotations from the record.
 */
export function commonReason({ reason, eventId }: Reasoned): string {
  const common = varyingParts.reduce((text, part) => text.replace(part, ''), reason);
  const end = eventId && [':', ', in '].find((each) => common.includes(` ${eventId}${each}`));
  return end ? common.replace(` ${eventId}${end}`, () => end) : common;
}

/** Dead letters with the same common reason, in the order in which they were passed. */
export interface ReasonGroup<Letter> {
  readonly reason: string;
  readonly letters: readonly [Letter, ...Letter[]];
}

/**
 * Groups dead letters by their common reason, largest group first. The events that wait behind a parked event come last
 * because they are a consequence of another group, although they usually outnumber it.
 */
export function groupByReason<Letter extends Reasoned>(
  letters: readonly Letter[],
): ReasonGroup<Letter>[] {
  const isConsequence = ({ reason }: ReasonGroup<Letter>) => Number(reason === behindReason);
  return [...Map.groupBy(letters, commonReason)]
    .map(([reason, each]) => ({ reason, letters: each as [Letter, ...Letter[]] }))
    .toSorted((a, b) => isConsequence(a) - isConsequence(b) || b.letters.length - a.letters.length);
}

/**
 * Returns true if a dead letter has the given reason or common reason. Control characters in `wanted` can be escaped
 * because users copy reasons from escaped output.
 */
export function hasReason(letter: Reasoned, wanted: string): boolean {
  const escaped = escapeControls(wanted);
  return [letter.reason, commonReason(letter)].some((each) => escapeControls(each) === escaped);
}
