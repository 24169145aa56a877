import * as v from 'valibot';
import { hasAtMostCharacters } from '../../common/has-at-most-characters.ts';
import { messageOf } from '../../common/message-of.ts';
import { issuesText } from '../../common/schema-issues.ts';
import { eventType, instanceKey, maximumEventBytes, type TrackedEvent } from '../event/event.ts';
import { maximumMacBytes } from '../event/event-mac.ts';
import { parseExact } from '../json/exact-json.ts';
import type { Json } from '../json/json.ts';
import { findNonJson } from '../json/non-json.ts';
import { toIso, toUtc } from '../time/timestamp.ts';
import type { Effect } from './effect.ts';
import { emittedEvent } from './outgoing-event.ts';

/** The most effects of one event. */
const maximumEffects = 2_000;
/**
 * The largest notification, in bytes of its JSON. EventBridge takes entries of less than 256 KB, and
 * what is published says beside it which instance and event it comes from, in up to 10 KB.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html
 */
const maximumNotifyBytes = 240 * 1024;
/** The most that one event may send, in bytes of JSON. */
const maximumSentBytes = 1024 * 1024;

const json = v.rawCheck<unknown>(({ dataset, addIssue }) => {
  const wrong = dataset.typed ? findNonJson(dataset.value, 'data') : undefined;
  if (wrong) addIssue({ message: `must be JSON, and ${wrong}` });
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

const moment = v.pipe(
  v.string(),
  v.metadata({ format: 'date-time' }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const utc = toUtc(dataset.value);
    // To the millisecond, so that moments compare as text.
    if (utc !== undefined) return toIso(Date.parse(utc));
    addIssue({ message: `${JSON.stringify(dataset.value)} is no RFC 3339 date and time` });
    return NEVER;
  }),
);

const effect = v.variant('kind', [
  v.object({
    kind: v.literal('emit'),
    ...instanceKey.entries,
    type: eventType,
    data,
    replyTo: v.optional(v.boolean()),
  }),
  // What EventBridge takes as a detail type.
  v.object({ kind: v.literal('notify'), type: name(128), data }),
  v.object({ kind: v.literal('start-timer'), name: name(200), dueAt: moment }),
  v.object({ kind: v.literal('cancel-timer'), name: name(200) }),
]);

/** What effects have to look like. */
export const effectsSchema = v.pipe(
  v.array(effect),
  v.maxLength(maximumEffects, `there are more than ${maximumEffects}`),
);

/** A version that none has more digits than. */
const maximumVersion = 9_999_999_999;

/**
 * The effects that a transition returned, checked.
 *
 * @throws TypeError for what is none.
 */
export function checkEffects(returned: unknown): readonly Effect[] {
  const parsed = v.safeParse(effectsSchema, returned);
  if (parsed.success) return parsed.output;
  throw new TypeError(`the effects are wrong: ${issuesText(parsed.issues)}`);
}

/** Why effects cannot be done, or undefined. It is the event that asks for too much, not the model. */
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
    if (bytes > most) return `${effect.type} would have ${bytes} bytes, and may have ${most}`;
    const refused = isEmit ? undecodableReason(json) : undefined;
    if (refused) return `${effect.type} would be no event: ${refused}`;
    sent += bytes;
  }
  return sent > maximumSentBytes
    ? `it would send ${sent} bytes, and may send ${maximumSentBytes}`
    : undefined;
}

/** Why what is read off the stream would be a dead letter: it is nested too deep, say. */
function undecodableReason(json: string): string | undefined {
  try {
    parseExact(json);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
