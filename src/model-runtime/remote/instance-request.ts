import { isClockEvent, isStaleTimerEvent } from '../../core/effects/timer.ts';
import type { PositionedEvent } from '../protocol.ts';
import type { InstanceBatch } from './remote-model.ts';

/** What a function is to be asked about one instance. */
export interface InstanceRequest extends InstanceBatch {
  /** The events that it is asked about. */
  readonly requestedEvents: readonly PositionedEvent[];
  /** As it stands in the request. */
  readonly json: string;
  /** About what the answer will have, in bytes: each of its steps has a whole state. */
  readonly answerBytes: number;
}

/** What a commit hardly takes more of: data of events, and states after them, in bytes. */
const maximumCommitEventBytes = 24 * 1024;
const maximumCommitStateBytes = 2 * 1024 * 1024;
/** What a step has besides the state and the data of its event, in bytes. */
const usualStepBytes = 1024;

/**
 * What to ask about an instance: as many of its events as may fit into a commit. A timer's event is always the
 * first, because it depends on the events before it whether the timer still runs.
 *
 * @returns undefined where no event needs the function: all are those of timers that are over.
 */
export function instanceRequestOf({
  head: newest,
  events,
}: InstanceBatch): InstanceRequest | undefined {
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
    // It may keep what it is told.
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
 * What goes into one request, and what comes back in one answer, in bytes. Lambda takes 6 MB both ways.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const requestBytes = 5 * 1024 * 1024;
const roomForAnswer = 4 * 1024 * 1024;

/** Questions in as few requests as they fit into, in order. */
export function packRequests(questions: readonly InstanceRequest[]): InstanceRequest[][] {
  const requests: InstanceRequest[][] = [];
  let left = { request: 0, answer: 0 };
  for (const question of questions) {
    const bytes = Buffer.byteLength(question.json);
    if (left.request < bytes || left.answer < question.answerBytes) {
      requests.push([]);
      left = { request: requestBytes, answer: roomForAnswer };
    }
    requests.at(-1)!.push(question);
    left = { request: left.request - bytes, answer: left.answer - question.answerBytes };
  }
  return requests;
}
