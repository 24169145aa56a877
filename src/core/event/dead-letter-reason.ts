import { escapeControls } from '../../common/escape.ts';
import { requiredTime } from '../time/timestamp.ts';

interface Reasoned {
  readonly reason: string;
  readonly eventId?: string | null | undefined;
}

/** The id of an invocation, which Lambda adds to the messages of timeouts and of processes that ended. */
const invocationId =
  /(?:RequestId: |\d{4}-\d\d-\d\dT[\d:.]+Z )[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12} /g;

/** The invalid time of an event, as JSON that may be truncated. */
const invalidTime = new RegExp(
  String.raw`(?<=\btime must be ${requiredTime}); got (?:"(?:[^"\\]|\\.)*?(?:"|\\?…(?=; |$))|[^";][^;]*)`,
);

/**
 * Returns the reason of a dead letter without the parts that differ between dead letters with the same cause: the event
 * id (if a model failed on the event), an invalid time, and the ids of invocations.
 */
export function commonReason({ reason, eventId }: Reasoned): string {
  const common = reason.replace(invocationId, '').replace(invalidTime, '');
  const end = eventId && [':', ', in '].find((each) => common.includes(` ${eventId}${each}`));
  return end ? common.replace(` ${eventId}${end}`, () => end) : common;
}

/**
 * Returns true if a dead letter has the given reason or common reason. Control characters can be escaped because users
 * copy reasons from escaped output.
 */
export function hasReason(letter: Reasoned, wanted: string): boolean {
  const escaped = escapeControls(wanted);
  return [letter.reason, commonReason(letter)].some((each) => escapeControls(each) === escaped);
}
