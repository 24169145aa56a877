import * as v from 'valibot';
import type { InstanceKey, TrackedEvent } from '../event/event.ts';
import { instanceSource, isReservedSource } from '../event/reserved-source.ts';
import type { CommitTail, StreamPosition } from '../history/commit.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { Emit } from './effect.ts';

/** The type of the event that tells an instance the outcome of an event that it sent. */
const outcomeRecordedType = 'outcome.recorded';

/** True if an event claims to be an outcome, but another system sent it and not Milepost. */
export const isForgedOutcome = ({ type, source }: Pick<TrackedEvent, 'type' | 'source'>) =>
  type === outcomeRecordedType && !isReservedSource(source);

/**
 * The default source of an event in a test. An outcome has the source of the instance that it reports
 * on, as Milepost would send it.
 */
export function testSourceOf(type: string, data: Json | undefined, usual: string): string {
  if (type !== outcomeRecordedType) return usual;
  const told = data !== undefined && isJsonObject(data) ? data : {};
  const text = (name: string) => (typeof told[name] === 'string' ? told[name] : usual);
  return instanceSource({ model: text('modelid'), transaction: text('transactionid') });
}

/**
 * The data schema of `outcome.recorded`, for the `events` of a model that asks for replies.
 *
 * @example
 * const events = { 'outcome.recorded': outcomeRecorded };
 */
export const outcomeRecorded = v.object({
  /** The id of the event whose outcome this is. */
  id: v.string(),
  /** The source of that event. */
  source: v.string(),
  /** The type of that event. */
  type: v.string(),
  /** The model of the instance that received that event. */
  modelid: v.string(),
  /** The transaction id of that instance. */
  transactionid: v.string(),
  /** The outcome of that event. */
  outcome: v.picklist(['applied', 'rejected', 'duplicate']),
  /** The reason for a rejection; null for other outcomes. */
  reason: v.nullable(v.string()),
  /** The status of that instance after it. */
  status: v.string(),
});

/** An event that Milepost itself puts on the stream. */
export interface OutgoingEvent {
  readonly to: InstanceKey;
  /** The CloudEvent. */
  readonly event: JsonObject;
}

/** The outcome of an event, for the instance that asked for it. */
export interface ReplyOutcome {
  readonly outcome: 'applied' | 'rejected' | 'duplicate';
  readonly reason: string | null;
  /** The instance's status after it. */
  readonly status: string;
}

/**
 * The events that follow from a commit, in order: those that its model emits, and replies to the
 * instances that asked for an outcome. They and their ids depend on the commit alone, so sending them
 * again changes nothing.
 */
export function outgoingEvents(commit: CommitTail): OutgoingEvent[] {
  return commit.entries.flatMap(({ event, effects, outcome, reason, status }, at) => {
    const emitted = effects.flatMap((effect, index) =>
      effect.kind === 'emit' ? emittedEvent(event, effect, commit.version, `${at}.${index}`) : [],
    );
    if (!event.replyTo) return emitted;
    const word = { outcome, reason, status };
    return [...emitted, replyEvent(event, event.replyTo, word, `${commit.version}.${at}`)];
  });
}

/** The reply to a duplicate event. Its id is derived from the position of the record in the stream. */
export function duplicateReply(
  event: TrackedEvent,
  replyTo: InstanceKey,
  status: string,
  { shard, sequence }: StreamPosition,
): OutgoingEvent {
  const word = { outcome: 'duplicate', reason: null, status } as const;
  return replyEvent(event, replyTo, word, `${shard}/${sequence}`);
}

/**
 * The instance that asked to be told about a duplicate, if any. An instance gets no such reply for an event
 * that it emitted itself: it emitted the event once, and the duplicate is the retry after a crash.
 */
export function duplicateReplyTo({ source, replyTo }: TrackedEvent): InstanceKey | undefined {
  return replyTo && source !== instanceSource(replyTo) ? replyTo : undefined;
}

/**
 * Builds an event that a model emits.
 *
 * @param cause the event that led to it. The emitted event has the same `time`.
 * @param place its position among the effects of the commit.
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
  { outcome, reason, status }: ReplyOutcome,
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
      data: {
        id,
        source,
        type,
        modelid: model,
        transactionid: transaction,
        outcome,
        reason,
        status,
      },
    },
  };
}
