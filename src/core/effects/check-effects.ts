import * as v from 'valibot';
import { hasAtMostCharacters } from '../../common/has-at-most-characters.ts';
import { messageOf } from '../../common/message-of.ts';
import { issuesText } from '../../common/schema-issues.ts';
import { eventType, instanceKey, maximumEventBytes, type TrackedEvent } from '../event/event.ts';
import { maximumMacBytes } from '../event/event-mac.ts';
import { parseExact } from '../json/exact-json.ts';
import type { Json } from '../json/json.ts';
import { findNonJson } from '../json/non-json.ts';
import { toIso } from '../time/timestamp.ts';
import { utcTime } from '../time/utc-time.ts';
import type { Effect } from './effect.ts';
import { emittedEvent } from './outgoing-event.ts';

/** The maximum number of effects that a transition can return. */
const maximumEffects = 2_000;
/**
 * The maximum size of a notification, in bytes of its JSON. Until January 2026, EventBridge accepted only entries of
 * less than 256 KB, and targets of rules can still have this limit. The ids of the instance and the event use up to 10
 * KB of an entry.
 *
 * @see https://aws.amazon.com/blogs/compute/more-room-to-build-serverless-services-now-support-payloads-up-to-1-mb
 */
const maximumNotifyBytes = 240 * 1024;
/** The maximum total size of the events and notifications that a transition sends, in bytes of JSON. */
const maximumSentBytes = 1024 * 1024;

const json = v.rawCheck<unknown>(({ dataset, addIssue }) => {
  const wrong = dataset.typed ? findNonJson(dataset.value, 'data') : undefined;
  if (wrong) addIssue({ message: `must be JSON, but ${wrong}` });
});
const data = v.pipe(
  v.unknown(),
  json,
  v.transform((value) => value as Json),
);

const name = (longest: number) =>
  v.pipe(
    v.string(),
    v.check(
      (text) => text !== '' && text.isWellFormed() && hasAtMostCharacters(text, longest),
      `must have 1 to ${longest} characters`,
    ),
    v.metadata({ minLength: 1, maxLength: longest }),
  );

// Format all times with three fractional digits, so they can be compared as text.
const moment = v.pipe(
  utcTime,
  v.transform((utc) => toIso(Date.parse(utc))),
);

const effect = v.variant('kind', [
  v.object({
    kind: v.literal('emit'),
    ...instanceKey.entries,
    type: eventType,
    data,
    replyTo: v.optional(v.boolean()),
  }),
  // EventBridge limits a detail type to 128 characters.
  v.object({ kind: v.literal('notify'), type: name(128), data }),
  v.object({ kind: v.literal('start-timer'), name: name(200), dueAt: moment }),
  v.object({ kind: v.literal('cancel-timer'), name: name(200) }),
]);

/** The schema of the effects that a transition returns. */
export const effectsSchema = v.pipe(
  v.array(effect),
  v.maxLength(maximumEffects, `at most ${maximumEffects} are allowed`),
);

/** A version with the maximum number of digits, for computing an event's size before the commit's version is known. */
const maximumVersion = 9_999_999_999;

/**
 * Validates the effects that a transition returned.
 *
 * @throws TypeError if they do not match the schema.
 */
export function checkEffects(returned: unknown): readonly Effect[] {
  const parsed = v.safeParse(effectsSchema, returned);
  if (parsed.success) return parsed.output;
  throw new TypeError(`invalid effects: ${issuesText(parsed.issues)}`);
}

/**
 * Returns why effects are not allowed: they exceed a limit, or consumers of the stream could not parse an emitted
 * event. Returns undefined if they are allowed. A violation causes the event to be rejected; it is not a model fault.
 */
export function effectsViolation(
  effects: readonly Effect[],
  cause: TrackedEvent,
): string | undefined {
  let sent = 0;
  for (const [index, effect] of effects.entries()) {
    if (effect.kind !== 'emit' && effect.kind !== 'notify') continue;
    const isEmit = effect.kind === 'emit';
    const json = JSON.stringify(
      isEmit ? emittedEvent(cause, effect, maximumVersion, `0.${index}`).event : effect,
    );
    const bytes = Buffer.byteLength(json) + (isEmit ? maximumMacBytes : 0);
    const most = isEmit ? maximumEventBytes : maximumNotifyBytes;
    if (bytes > most) return `${effect.type} would take ${bytes} bytes; the limit is ${most}`;
    const refused = isEmit ? undecodableReason(json) : undefined;
    if (refused) return `${effect.type} would not be a valid event: ${refused}`;
    sent += bytes;
  }
  return sent > maximumSentBytes
    ? `the events and notifications to send would take ${sent} bytes; the limit is ${maximumSentBytes}`
    : undefined;
}

/** Returns why consumers of the stream could not parse an event, such as its nesting depth; undefined if they can. */
function undecodableReason(json: string): string | undefined {
  try {
    parseExact(json);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
