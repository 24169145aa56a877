import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { hasAtMostCharacters } from '../../common/has-at-most-characters.ts';
import { jsonIn } from '../../common/json-in.ts';
import { accountId, region } from '../account.ts';
import type { BusEvent, PublishedEvent } from './bus-event.ts';
import { busNameOf } from './bus-name.ts';
import { EventBusError } from './event-bus-error.ts';

/** The maximum number of entries per request. */
const maximumEntries = 10;
/** The maximum total size of the entries in a request, in bytes. */
export const maximumRequestBytes = 1024 * 1024;
/** The maximum length of a detail type, in characters. */
const maximumDetailTypeLength = 128;

const seconds = v.pipe(
  v.number(),
  v.transform((time) => new Date(time * 1000)),
  v.check((date) => !Number.isNaN(date.getTime())),
);
const request = v.object({
  Entries: v.nullish(
    v.array(
      v.object({
        Source: v.nullish(v.string(), ''),
        DetailType: v.nullish(v.string(), ''),
        Detail: v.nullish(v.string(), ''),
        Time: v.nullish(seconds),
        Resources: v.nullish(v.array(v.string()), []),
        EventBusName: v.nullish(v.string()),
      }),
    ),
  ),
});
type Entry = NonNullable<v.InferOutput<typeof request>['Entries']>[number];

/** The error of a rejected entry. */
interface FailedEntry {
  readonly ErrorCode: string;
  readonly ErrorMessage: string;
}

/** The result of a request: the accepted events, and a response for each entry. */
export interface PutEventsResult {
  readonly events: readonly PublishedEvent[];
  readonly response: {
    readonly FailedEntryCount: number;
    readonly Entries: readonly (FailedEntry | { readonly EventId: string })[];
  };
}

/**
 * Validates a PutEvents request as EventBridge does, entry by entry.
 *
 * @param now the default time of entries, in milliseconds since 1970.
 * @throws EventBusError if the whole request is rejected.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
export function putEvents(body: string, now: number): PutEventsResult {
  const entries = entriesOf(body);
  const results = entries.map((entry) => eventOf(entry, now));
  const events = results.flatMap((result, index) =>
    'id' in result ? [{ bus: busNameOf(entries[index]?.EventBusName), event: result }] : [],
  );
  return {
    events,
    response: {
      FailedEntryCount: results.length - events.length,
      Entries: results.map((result) => ('id' in result ? { EventId: result.id } : result)),
    },
  };
}

function entriesOf(body: string): readonly Entry[] {
  const parsed = v.safeParse(request, jsonIn(body));
  if (!parsed.success) {
    const [{ message, path }] = parsed.issues;
    const where = path?.map(({ key }) => String(key)).join('.') ?? 'the body';
    throw new EventBusError('SerializationException', `${where}: ${message}`);
  }
  const { Entries } = parsed.output;
  if (!Entries) throw invalid('null', 'not be null');
  if (Entries.length === 0) throw invalid("'[]'", 'have length greater than or equal to 1');
  if (Entries.length > maximumEntries)
    throw invalid(`'${Entries.length} entries'`, `have length less than or equal to 10`);
  if (Entries.reduce((sum, entry) => sum + sizeOf(entry), 0) > maximumRequestBytes)
    throw requestTooLarge();
  return Entries;
}

/** Creates the error for a request that exceeds the maximum size. */
export const requestTooLarge = () =>
  new EventBusError(
    'ValidationException',
    'Total size of the entries in the request is over the limit.',
  );

function invalid(value: string, must: string): EventBusError {
  const what = `Value ${value} at 'entries' failed to satisfy constraint: Member must ${must}`;
  return new EventBusError('ValidationException', `1 validation error detected: ${what}`);
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html */
function sizeOf({ Source, DetailType, Detail, Time, Resources }: Entry): number {
  const texts = [Source, DetailType, Detail, ...Resources];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), Time ? 14 : 0);
}

function eventOf(entry: Entry, now: number): BusEvent | FailedEntry {
  const missing = (['Source', 'DetailType', 'Detail'] as const).find((name) => entry[name] === '');
  if (missing) return invalidArgument(missing, `${missing} is a required argument.`);
  if (!hasAtMostCharacters(entry.DetailType, maximumDetailTypeLength))
    return invalidArgument(
      'DetailType',
      `DetailType has more than ${maximumDetailTypeLength} characters.`,
    );
  if (entry.Source.startsWith('aws.'))
    return {
      ErrorCode: 'NotAuthorizedForSourceException',
      ErrorMessage: 'Not authorized for the source.',
    };
  const detail = jsonIn(entry.Detail);
  if (typeof detail !== 'object' || detail === null || Array.isArray(detail))
    return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': entry.DetailType,
    source: entry.Source,
    account: accountId,
    time: (entry.Time ?? new Date(now)).toISOString().replace(/\.\d+Z$/, 'Z'),
    region,
    resources: entry.Resources,
    detail: detail as BusEvent['detail'],
  };
}

const invalidArgument = (name: string, reason: string): FailedEntry => ({
  ErrorCode: 'InvalidArgument',
  ErrorMessage: `Parameter ${name} is not valid. Reason: ${reason}`,
});
