import { MilepostError } from '../../core/errors.ts';
import {
  checkEvent,
  maximumEventBytes,
  partitionKeyOf,
  type TrackedEvent,
} from '../../core/event/event.ts';
import { isReservedSource } from '../../core/event/reserved-source.ts';
import { elementTexts } from '../../core/json/element-texts.ts';
import { firstFlaw, parseExact, parseWithFlaws } from '../../core/json/exact-json.ts';
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
  const { value, exact } = parse(body);
  const candidates: readonly Json[] = Array.isArray(value) ? value : [value];
  if (candidates.length > maximumEvents)
    throw new Problem(
      400,
      `a request must contain at most ${maximumEvents} events; got ${candidates.length}`,
    );
  const bad: InvalidEvent[] = [];
  const records: OutgoingRecord[] = [];
  let texts: readonly string[] | undefined;
  for (const [index, candidate] of candidates.entries()) {
    const flaw = exact ? undefined : firstFlaw(candidate);
    const checked = flaw ? { ok: false as const, reason: flaw } : checkEvent(candidate, now);
    let text = JSON.stringify(candidate);
    let data = recordData(candidate, text, traceparent);
    if (data.byteLength > maximumEventBytes) {
      // The received text can be shorter than serialized JSON: `JSON.stringify` writes the number 1e20 with 21 digits.
      texts ??= Array.isArray(value) ? elementTexts(body) : [body.trim()];
      if (Buffer.byteLength(texts[index]!) < Buffer.byteLength(text)) text = texts[index]!;
      data = recordData(candidate, text, traceparent);
      // The trace must not make an event too large.
      if (data.byteLength > maximumEventBytes) data = Buffer.from(text);
    }
    if (!checked.ok) bad.push({ index, detail: checked.reason });
    else if (isReservedSource(checked.event.source))
      bad.push({ index, detail: reservedSourceMessage(checked.event) });
    else if (data.byteLength > maximumEventBytes)
      bad.push({ index, detail: tooLargeMessage(data) });
    else records.push({ partitionKey: partitionKeyOf(checked.event), data });
  }
  if (bad.length === 0) return records;
  const detail =
    candidates.length === 1
      ? bad[0]!.detail
      : `${bad.length} of ${candidates.length} events are invalid, so none was accepted; see \`errors\``;
  throw new Problem(400, detail, { errors: bad });
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

function parse(body: string): { value: Json; exact: boolean } {
  try {
    return { value: parseExact(body), exact: true };
  } catch (error) {
    if (!(error instanceof MilepostError)) throw error;
    // Parse the body again and mark the flaws so that the response can name the invalid events.
    if (error.code === 'inexact-number' || error.code === 'forbidden-key')
      return { value: parseWithFlaws(body), exact: false };
    throw new Problem(400, error.message);
  }
}
