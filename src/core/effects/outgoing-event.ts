import * as v from 'valibot';
import type { InstanceKey, TrackedEvent } from '../event/event.ts';
import { instanceSource, isReservedSource } from '../event/reserved-source.ts';
import type { CommitTail } from '../history/commit.ts';
import type { StreamPosition } from '../history/sequence.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { Emit } from './effect.ts';

/** The type of the event that reports the outcome of an event to the instance that the event's `replyto` names. */
const outcomeRecordedType = 'outcome.recorded';

/** Returns true if an event claims to report an outcome but does not come from Milepost. */
export const isForgedOutcome = ({ type, source }: Pick<TrackedEvent, 'type' | 'source'>) =>
  type === outcomeRecordedType && !isReservedSource(source);

/**
 * Returns the default source of an event in a test. As in production, the source of an `outcome.recorded` event is the
 * instance that received the original event.
 */
export function testSourceOf(type: string, data: Json | undefined, usual: string): string {
  if (type !== outcomeRecordedType) return usual;
  const reported = data !== undefined && isJsonObject(data) ? data : {};
  const text = (name: string) => (typeof reported[name] === 'string' ? reported[name] : usual);
  return instanceSource({ model: text('modelid'), transaction: text('transactionid') });
}

/**
 * The data schema of `outcome.recorded`. Add it to the `events` of a model that requests outcomes with `replyTo`.
 *
 * @example
 * const events = { 'outcome.recorded': outcomeRecorded };
 */
export const outcomeRecorded = v.object({
  /** The id of the original event, whose outcome is reported. */
  id: v.string(),
  /** The source of the original event. */
  source: v.string(),
  /** The type of the original event. */
  type: v.string(),
  /** The model of the instance that received the original event. */
  modelid: v.string(),
  /** The transaction id of the instance that received the original event. */
  transactionid: v.string(),
  /** The outcome of the original event. */
  outcome: v.picklist(['applied', 'rejected', 'duplicate']),
  /** The reason for a rejection; null for other outcomes. */
  reason: v.nullable(v.string()),
  /**
   * The status of the receiving instance after the original event; for a duplicate, its status when the reply was sent.
   */
  status: v.string(),
});

/** An event that an instance sends through the stream, to another instance or to itself. */
export interface OutgoingEvent {
  readonly to: InstanceKey;
  /** The CloudEvent to put on the stream, without its MAC. */
  readonly event: JsonObject;
}

/** An event's outcome, as reported to the instance that requested it. */
interface ReplyOutcome {
  readonly outcome: 'applied' | 'rejected' | 'duplicate';
  readonly reason: string | null;
  /** The status of the receiving instance after the event; for a duplicate, its status when the reply is sent. */
  readonly status: string;
}

/**
 * Derives the events to send after a commit, in order: the events that the model emits, and replies to the instances
 * that requested an outcome. The events and their ids depend only on the commit, so sending them again has no further
 * effect.
 */
export function outgoingEvents(commit: CommitTail): OutgoingEvent[] {
  return commit.entries.flatMap(({ event, effects, outcome, reason, status }, at) => {
    const emitted = effects.flatMap((effect, index) =>
      effect.kind === 'emit' ? emittedEvent(event, effect, commit.version, `${at}.${index}`) : [],
    );
    if (!event.replyTo) return emitted;
    const reply = { outcome, reason, status };
    return [...emitted, replyEvent(event, event.replyTo, reply, `${commit.version}.${at}`)];
  });
}

/** Builds the reply to a duplicate event. The reply's id is derived from the duplicate's position in the stream. */
export function duplicateReply(
  event: TrackedEvent,
  replyTo: InstanceKey,
  status: string,
  { shard, sequence }: StreamPosition,
): OutgoingEvent {
  const reply = { outcome: 'duplicate', reason: null, status } as const;
  return replyEvent(event, replyTo, reply, `${shard}/${sequence}`);
}

/**
 * Returns the instance that receives a reply to a duplicate; undefined if there is none. An instance receives no reply
 * to a duplicate of an event that it emitted, because it emitted the event only once: the duplicate results from a
 * retry after a crash.
 */
export function duplicateReplyTo({ source, replyTo }: TrackedEvent): InstanceKey | undefined {
  return replyTo && source !== instanceSource(replyTo) ? replyTo : undefined;
}

/**
 * Builds an event that a model emits.
 *
 * @param cause the event whose transition returned the effect. The emitted event has the same `time`.
 * @param place the effect's position in the commit.
 */
export function emittedEvent(
  cause: Omit<TrackedEvent, 'data'>,
  { model, transaction, type, data, replyTo }: Emit,
  version: number,
  place: string,
): OutgoingEvent {
  return {
    to: { model, transaction },
    event: {
      specversion: '1.0',
      id: `${version}.${place}`,
      source: instanceSource(cause),
      type,
      modelid: model,
      transactionid: transaction,
      time: cause.time,
      data,
      ...(replyTo ? { replyto: `${cause.model}/${cause.transaction}` } : {}),
    },
  };
}

function replyEvent(
  event: Omit<TrackedEvent, 'data'>,
  to: InstanceKey,
  reply: ReplyOutcome,
  place: string,
): OutgoingEvent {
  const { id, source, type, model, transaction, time } = event;
  return {
    to,
    event: {
      specversion: '1.0',
      id: `reply/${place}`,
      source: instanceSource(event),
      type: outcomeRecordedType,
      modelid: to.model,
      transactionid: to.transaction,
      time,
      data: { id, source, type, modelid: model, transactionid: transaction, ...reply },
    },
  };
}
