import {
  checkEvent,
  maximumEventBytes,
  partitionKeyOf,
  type TrackedEvent,
} from '../../core/event/event.ts';
import { isReservedSource } from '../../core/event/reserved-source.ts';
import { elementTexts } from '../../core/json/element-texts.ts';
import { type ExactJson, readExact } from '../../core/json/exact-json.ts';
import { isJsonObject, type Json } from '../../core/json/json.ts';
import type { OutgoingRecord } from '../../stream/event-stream.ts';
import { Problem } from '../http/problem.ts';
import { maximumEvents } from './event-body.ts';

/** An invalid event, identified by its index in the request, with the reason. */
interface InvalidEvent {
  readonly index: number;
  readonly detail: string;
}

/**
 * Converts the events in a request body, one CloudEvent or an array, to records.
 *
 * @param now milliseconds since 1970.
 * @param traceparent the request's trace, which is added to events without a trace; undefined if tracing is off.
 * @throws Problem 400 if the body is not JSON or contains too many events, or if an event is invalid. The response
 *   lists every invalid event.
 */
export function readIncomingEvents(
  body: string,
  now: number,
  traceparent?: string,
): OutgoingRecord[] {
  const candidates = readCandidates(body);
  const bad: InvalidEvent[] = [];
  const records: OutgoingRecord[] = [];
  let texts: readonly string[] | undefined;
  const received = (index: number) => (texts ??= eventTexts(body))[index]!;
  for (const [index, read] of candidates.entries()) {
    const record = read.ok
      ? toRecord(read.value, () => received(index), now, traceparent)
      : read.reason;
    if (typeof record === 'string') bad.push({ index, detail: record });
    else records.push(record);
  }
  if (bad.length === 0) return records;
  const detail =
    candidates.length === 1
      ? bad[0]!.detail
      : `${bad.length} of ${candidates.length} events are invalid, so none was accepted; see \`errors\``;
  throw new Problem(400, detail, { errors: bad });
}

/**
 * Converts an event to a record, or returns the reason that the event is invalid.
 *
 * @param received returns the received text of the event.
 */
function toRecord(
  event: Json,
  received: () => string,
  now: number,
  traceparent: string | undefined,
): OutgoingRecord | string {
  const checked = checkEvent(event, now);
  if (!checked.ok) return checked.reason;
  if (isReservedSource(checked.event.source)) return reservedSourceMessage(checked.event);
  let text = JSON.stringify(event);
  let data = recordData(event, text, traceparent);
  if (data.byteLength > maximumEventBytes) {
    // The received text can be shorter than serialized JSON: `JSON.stringify` writes the number 1e20 with 21 digits.
    if (Buffer.byteLength(received()) < Buffer.byteLength(text)) text = received();
    data = recordData(event, text, traceparent);
    // The trace must not make an event too large.
    if (data.byteLength > maximumEventBytes) data = Buffer.from(text);
  }
  if (data.byteLength > maximumEventBytes) return tooLargeMessage(data);
  return { partitionKey: partitionKeyOf(checked.event), data };
}

const tooLargeMessage = (data: Uint8Array) =>
  `an event must be at most ${maximumEventBytes} bytes of JSON; got ${data.byteLength}`;

const reservedSourceMessage = ({ source }: TrackedEvent) =>
  `\`source\` must not start with \`milepost:\`, which is reserved for Milepost's own events; got "${source}"`;

/** Encodes an event's text and adds the request's trace if the event has none. */
function recordData(event: Json, text: string, traceparent: string | undefined): Buffer {
  const addsTrace =
    traceparent !== undefined && isJsonObject(event) && !Object.hasOwn(event, 'traceparent');
  return Buffer.from(
    addsTrace ? `{"traceparent":${JSON.stringify(traceparent)},${text.slice(1)}` : text,
  );
}

/**
 * Parses a body, one value or an array of them. If the body is rejected, parses each value separately so that the
 * response can list the rejected ones. The nesting depth of an event excludes the array that contains it.
 */
function readCandidates(body: string): readonly ExactJson[] {
  const read = readExact(body);
  if (!read.ok && read.code === 'not-json') throw new Problem(400, read.reason);
  const value = read.ok ? read.value : read.rounded;
  const values: readonly Json[] = Array.isArray(value) ? value : [value];
  if (values.length > maximumEvents)
    throw new Problem(
      400,
      `a request must contain at most ${maximumEvents} events; got ${values.length}`,
    );
  return read.ok
    ? values.map((each) => ({ ok: true, value: each }))
    : eventTexts(body).map(readExact);
}

/** Returns the JSON text of each event in a body. */
function eventTexts(body: string): readonly string[] {
  const text = body.trim();
  return text.startsWith('[') ? elementTexts(text) : [text];
}
