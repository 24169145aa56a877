import * as v from 'valibot';
import type { InstanceKey, TrackedEvent } from '../event/event.ts';
import { instanceSource, isReservedSource } from '../event/reserved-source.ts';
import type { CommitTail, StreamPosition } from '../history/commit.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { Emit } from './effect.ts';

/** The type of the event by which an instance hears what became of one that it sent. */
const outcomeRecordedType = 'outcome.recorded';

/** Whether an event only seems to tell of an outcome: another system says so, and not Milepost. */
export const isForgedOutcome = ({ type, source }: Pick<TrackedEvent, 'type' | 'source'>) =>
  type === outcomeRecordedType && !isReservedSource(source);

/**
 * The source of an event in a test that names none: an outcome has that of the instance which it tells
 * of, as Milepost would send it.
 */
export function testSourceOf(type: string, data: Json | undefined, usual: string): string {
  if (type !== outcomeRecordedType) return usual;
  const told = data !== undefined && isJsonObject(data) ? data : {};
  const text = (name: string) => (typeof told[name] === 'string' ? told[name] : usual);
  return instanceSource({ model: text('modelid'), transaction: text('transactionid') });
}

/**
 * The data of that event, for the `events` of a model that asks for replies.
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
  /** How that event ended. */
  outcome: v.picklist(['applied', 'rejected', 'duplicate']),
  /** Why it was rejected; null for other outcomes. */
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

/** What became of an event, for whoever asked. */
export interface ReplyOutcome {
  readonly outcome: 'applied' | 'rejected' | 'duplicate';
  readonly reason: string | null;
  /** The instance's status after it. */
  readonly status: string;
}

/**
 * The events that a commit leads to, in order: what its model emits, and word to those who asked
 * for an outcome. They follow from the commit alone, ids included, so that sending them again
 * changes nothing.
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

/** Word that an event was a duplicate; it follows from where its record stood on the stream. */
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
 * Who is to hear that an event is a duplicate, if anyone is. An instance never is of one that it
 * emitted itself: it did so once, and what came again is what a crash had done again.
 */
export function duplicateReplyTo({ source, replyTo }: TrackedEvent): InstanceKey | undefined {
  return replyTo && source !== instanceSource(replyTo) ? replyTo : undefined;
}

/**
 * An event that a model emits.
 *
 * @param cause the event on which it does; what follows from it happened when it happened.
 * @param place where among the commit's effects it stands.
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
