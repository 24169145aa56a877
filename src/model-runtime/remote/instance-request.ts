import { isClockEvent, isStaleTimerEvent } from '../../core/effects/timer.ts';
import type { PositionedEvent } from '../protocol.ts';
import type { InstanceBatch } from './instance-batch.ts';

/** The part of a request for one instance. */
export interface InstanceRequest extends InstanceBatch {
  /** The events to send: the first events of the batch, without events from stale timers. */
  readonly requestedEvents: readonly PositionedEvent[];
  /** This part of the request, as JSON. */
  readonly json: string;
  /** The estimated size of the response, in bytes. Each step in the response contains a complete state. */
  readonly answerBytes: number;
}

/** The approximate limits for the data of a commit's events and for the states after them, in bytes. */
const maximumCommitEventBytes = 24 * 1024;
const maximumCommitStateBytes = 2 * 1024 * 1024;
/** The typical size of a step without the state and the event's data, in bytes. */
const usualStepBytes = 1024;

/**
 * Builds the part of a request for one instance, with about as many events as fit into a commit. A timer event is
 * always the first event of a request, because earlier events can cancel its timer.
 *
 * @returns undefined if all events belong to stale timers, so the function is not needed.
 */
function instanceRequestOf({ head: newest, events }: InstanceBatch): InstanceRequest | undefined {
  const before = newest
    ? `{"state":${newest.state},"modelVersion":${newest.modelVersion}}`
    : 'null';
  const asked: PositionedEvent[] = [];
  const texts: string[] = [];
  let eventBytes = 0;
  let answerBytes = 0;
  let stateBytes = Buffer.byteLength(before);
  for (const positioned of events) {
    const { event } = positioned;
    if (isClockEvent(event)) {
      if (asked.length > 0) break;
      if (isStaleTimerEvent(event, newest?.timers ?? [])) continue;
    }
    const text = JSON.stringify(event);
    const bytes = Buffer.byteLength(text);
    eventBytes += bytes;
    // The model may store all data of the event in its state.
    stateBytes += bytes;
    answerBytes += stateBytes + usualStepBytes;
    if (
      asked.length > 0 &&
      (eventBytes > maximumCommitEventBytes || answerBytes > maximumCommitStateBytes)
    )
      break;
    asked.push(positioned);
    texts.push(text);
  }
  if (asked.length === 0) return undefined;
  const json = `{"before":${before},"events":[${texts.join(',')}]}`;
  return { head: newest, events, requestedEvents: asked, json, answerBytes };
}

/**
 * The maximum sizes of a request and its response, in bytes. Lambda limits requests and responses to 6 MB each.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const requestBytes = 5 * 1024 * 1024;
const roomForAnswer = 4 * 1024 * 1024;

/**
 * Builds the parts of a request for as many of the first batches as fit within the size limits. A part is undefined if
 * all events in its batch belong to stale timers.
 */
export function firstRequestOf(
  batches: readonly InstanceBatch[],
): readonly (InstanceRequest | undefined)[] {
  const parts: (InstanceRequest | undefined)[] = [];
  let left = { request: requestBytes, answer: roomForAnswer };
  for (const batch of batches) {
    const part = instanceRequestOf(batch);
    const bytes = part ? Buffer.byteLength(part.json) : 0;
    const answerBytes = part?.answerBytes ?? 0;
    const isFirst = parts.every((each) => each === undefined);
    if (!isFirst && (left.request < bytes || left.answer < answerBytes)) break;
    parts.push(part);
    left = { request: left.request - bytes, answer: left.answer - answerBytes };
  }
  return parts;
}
