import { escapeControls } from '../../common/escape.ts';
import { requiredTime } from '../time/timestamp.ts';

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

/**
 * Returns true if a dead letter has the given reason or common reason. Control characters can be escaped because users
 * copy reasons from escaped output.
 */
export function hasReason(letter: Reasoned, wanted: string): boolean {
  const escaped = escapeControls(wanted);
  return [letter.reason, commonReason(letter)].some((each) => escapeControls(each) === escaped);
}
