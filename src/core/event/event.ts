import { hash } from 'node:crypto';
import * as v from 'valibot';
import { hasAtMostCharacters } from '../../common/has-at-most-characters.ts';
import { shortJson } from '../../common/short-json.ts';
import { readExact } from '../json/exact-json.ts';
import { isJsonObject, type Json } from '../json/json.ts';
import { requiredTime, toIso, toUtc } from '../time/timestamp.ts';
import { macAttribute } from './event-mac.ts';
import { adviceForOtherJson, misspelledName, reasonForEnvelope } from './misplaced-event.ts';
import { sampledTrace, type TraceContext } from './trace-context.ts';

/** The identity of an instance: its model, and the transaction id that its events share. */
export interface InstanceKey {
  /** The model's id: 1 to 64 characters from `a-z`, `0-9`, and `-`. */
  readonly model: string;
  /** The transaction id, which all events of the instance share: 1 to 256 characters. */
  readonly transaction: string;
}

/** A validated CloudEvent, with defaults in place of missing attributes. */
export interface TrackedEvent extends InstanceKey {
  /** Together with `source`, uniquely identifies the event. */
  readonly id: string;
  /** Identifies the system that reported the event. Default: `unknown`. */
  readonly source: string;
  /** The event's type, such as `tickets.reserved`. */
  readonly type: string;
  /** When the event happened: RFC 3339 in UTC. */
  readonly time: string;
  /** The event's content, whose schema the model declares. Default: `{}`. */
  readonly data: Json;
  /** The instance that receives the event's outcome, if any. */
  readonly replyTo?: InstanceKey;
}

/** The maximum size of an event, in bytes of its JSON. */
export const maximumEventBytes = 256 * 1024;
/** The size of the smallest valid event, in bytes of JSON. */
export const minimumEventBytes = '{"id":"1","type":"t","modelid":"m","transactionid":"t"}'.length;
/** The format of a model id: 1 to 64 characters from `a-z`, `0-9`, and `-`. */
export const modelIdPattern = /^[a-z0-9-]{1,64}$/;

const text = (name: string) =>
  v.pipe(
    v.string(`${name} must be a string of 1 to 256 characters`),
    v.check(
      (s) => s !== '' && hasAtMostCharacters(s, 256),
      `${name} must have 1 to 256 characters`,
    ),
    v.check((s) => s.isWellFormed(), `${name} must be well-formed Unicode`),
    v.metadata({ minLength: 1, maxLength: 256 }),
  );
/**
 * Matches any character except control characters. Equivalent to `\P{Cc}`, but works for consumers of JSON Schema that
 * do not support Unicode properties.
 */
const noControl = '[^\\u0000-\\u001f\\u007f-\\u009f]';
const transaction = (name: string) =>
  v.pipe(
    text(name),
    v.check((s) => !/\p{Cc}/u.test(s), `${name} must not have control characters`),
    v.metadata({ pattern: `^${noControl}+$` }),
  );
const modelId = (name: string) =>
  v.pipe(
    v.string(`${name} must be a string`),
    v.regex(
      modelIdPattern,
      ({ input }) =>
        `${name} must have 1 to 64 characters from a-z, 0-9, and -; got ${shortJson(input)}`,
    ),
  );

/**
 * The schema of a transaction id. Use it for fields of event data that identify other instances.
 *
 * @example
 * import * as v from 'valibot';
 *
 * const events = { 'device.added': v.object({ device: transactionId }) };
 */
export const transactionId = transaction('a transaction id');

/** The schema of an event type: well-formed text of 1 to 256 characters. */
export const eventType = text('type');

const replyTo = v.pipe(
  v.string(
    ({ input }) =>
      `replyto must be a string of the form MODEL/TRANSACTION; got ${shortJson(input)}`,
  ),
  v.metadata({ pattern: `^[a-z0-9-]{1,64}/${noControl}{1,256}$` }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const slash = dataset.value.indexOf('/');
    const parts = {
      model: dataset.value.slice(0, Math.max(slash, 0)),
      transaction: dataset.value.slice(slash + 1),
    };
    if (v.safeParse(instanceKey, parts).success) return parts;
    addIssue({
      message: `replyto must have the form MODEL/TRANSACTION; got ${shortJson(dataset.value)}`,
    });
    return NEVER;
  }),
);
/** The schema of an instance key in untrusted input. */
export const instanceKey = v.object({
  model: modelId('model'),
  transaction: transaction('transaction'),
});

/** Returns true if a key has the format that events require. */
export function isInstanceKey(key: InstanceKey): boolean {
  return v.is(instanceKey, key);
}

/**
 * Returns the partition key for an instance's events. All events of an instance have the same key, so they share a
 * shard and stay in order. The key is the transaction id or, if the id has more than 256 UTF-16 code units, its digest,
 * because Kinesis limits keys to 256 characters.
 */
export function partitionKeyOf({ transaction }: Pick<InstanceKey, 'transaction'>): string {
  return transaction.length <= 256 ? transaction : hash('sha256', transaction);
}

const wrongTime = ({ input }: { readonly input: unknown }) =>
  `time must be ${requiredTime}; got ${shortJson(input)}`;

const time = v.pipe(
  v.string(wrongTime),
  v.metadata({ format: 'date-time' }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const utc = toUtc(dataset.value);
    if (utc !== undefined) return utc;
    addIssue({ message: wrongTime });
    return NEVER;
  }),
);

// A null attribute is equivalent to a missing attribute (CloudEvents JSON format 1.0.2, section 2.2).
const attributes = v.object(
  {
    specversion: v.nullish(
      v.literal('1.0', ({ input }) => `specversion must be "1.0"; got ${shortJson(input)}`),
    ),
    id: text('id'),
    type: eventType,
    modelid: modelId('modelid'),
    transactionid: transaction('transactionid'),
    source: v.nullish(text('source'), 'unknown'),
    time: v.nullish(time),
    replyto: v.nullish(replyTo),
    data: v.optional(v.custom<Json>(() => true)),
    data_base64: v.nullish(v.never('data_base64 is not supported: send JSON in data')),
  },
  ({ expected, path }) => {
    const name: string = JSON.parse(expected ?? '""');
    const misspelled = misspelledName(path?.[0].input as Json, name);
    return `${name} is missing${misspelled ? `: rename ${shortJson(misspelled)}` : ''}`;
  },
);

/** The schema of a CloudEvent, with the attributes that Milepost requires. */
export const eventAttributes: v.GenericSchema = attributes;

/** Returns true for the name of an attribute that Milepost does not read, such as `subject`. */
export const isExtension = (name: string): boolean =>
  !Object.hasOwn(attributes.entries, name) && name !== macAttribute;

/**
 * The result of decoding a record: an event, or the reason that the record is invalid, with the ids that could be read.
 */
export type DecodeResult =
  | { readonly ok: true; readonly event: TrackedEvent; readonly trace?: TraceContext }
  | { readonly ok: false; readonly reason: string; readonly hints: EventHints };

/** The ids in a record, for troubleshooting. An id that could not be read is null. */
export interface EventHints {
  readonly modelId: string | null;
  readonly transactionId: string | null;
  readonly eventId: string | null;
}

/**
 * Validates one parsed CloudEvent.
 *
 * @param arrivedAt the default for `time`, in milliseconds since 1970.
 */
export function checkEvent(value: Json, arrivedAt: number): DecodeResult {
  if (!isJsonObject(value))
    return rejectedResult(`not a JSON object${adviceForOtherJson(value)}`, value);
  const result = v.safeParse(attributes, value);
  if (!result.success)
    return rejectedResult(
      reasonForEnvelope(value) ?? result.issues.map((issue) => issue.message).join('; '),
      value,
    );
  const { id, type, modelid, transactionid, source, replyto, data } = result.output;
  return {
    ok: true,
    event: {
      id,
      source,
      type,
      model: modelid,
      transaction: transactionid,
      time: result.output.time ?? toIso(arrivedAt),
      data: data === undefined ? {} : data,
      ...(replyto ? { replyTo: replyto } : {}),
    },
    trace: sampledTrace(value['traceparent']),
  };
}

/** Parses and validates one event from the bytes of a stream record; see `checkEvent`. */
export function decodeEvent(bytes: Uint8Array, arrivedAt: number): DecodeResult {
  if (bytes.byteLength > maximumEventBytes)
    return rejectedResult(
      `too large: ${bytes.byteLength} bytes; the limit is ${maximumEventBytes}`,
      null,
    );
  const text = decodeUtf8(bytes);
  if (text === undefined) return rejectedResult(reasonForBinary(bytes), null);
  const read = readExact(text);
  if (read.ok) return checkEvent(read.value, arrivedAt);
  if (read.code !== 'not-json') return rejectedResult(read.reason, read.rounded);
  return rejectedResult(`${read.reason}${adviceForText(text, read.reason)}`, null);
}

/** The first bytes of compressed data, in hexadecimal. */
const compressed: Readonly<Record<string, RegExp>> = {
  gzip: /^1f8b/,
  zlib: /^78(?:01|5e|9c|da)/,
  zstd: /^28b52ffd/,
};

function reasonForBinary(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  const format = Object.keys(compressed).find((name) => compressed[name]?.test(start));
  return `not UTF-8${format ? `, but ${format}: turn off compression` : ''}`;
}

/**
 * Matches text that consists only of Base64 and starts like a JSON object in Base64: `{"`, `{` before an indented line,
 * or `{` before CRLF.
 */
const base64 = /^(?:eyJ|ewog|ewoJ|ew0K)[\w+/-]*={0,2}\s*$/;

/** Returns advice for text that is not JSON, to append to the parser's message. */
function adviceForText(text: string, reason: string): string {
  if (base64.test(text)) return '; the text is Base64: encode the event only once';
  const isObject = text.startsWith('{') && reason.includes(' after JSON at ');
  return isObject ? '; put each event in a separate record' : '';
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function rejectedResult(reason: string, value: Json): DecodeResult {
  const attribute = (name: string) => {
    const found = isJsonObject(value) ? value[name] : undefined;
    return typeof found === 'string' ? firstCharacters(found).toWellFormed() : null;
  };
  return {
    ok: false,
    reason,
    hints: {
      modelId: attribute('modelid'),
      transactionId: attribute('transactionid'),
      eventId: attribute('id'),
    },
  };
}

/**
 * Returns the first 256 characters of a text; no valid id is longer. The 256 characters have at most 512 UTF-16 code
 * units.
 */
const firstCharacters = (text: string) => Array.from(text.slice(0, 512)).slice(0, 256).join('');
