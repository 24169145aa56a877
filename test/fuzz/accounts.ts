import { isDeepStrictEqual } from 'node:util';
import { userRecords } from '../../src/aws/stream/user-records.ts';
import { deadLetterId } from '../../src/core/event/dead-letter.ts';
import type { HistoryEntry } from '../../src/core/history/history-entry.ts';
import type { Json, JsonObject } from '../../src/core/json/json.ts';
import { toIso } from '../../src/core/time/timestamp.ts';
import type { StreamRecord } from '../../src/stream/stream-record.ts';
import { allDeadLetters } from '../support/aws-in-memory/stores-in-memory.ts';
import type { World } from './world.ts';

/** Throws an error unless the condition holds. `what` returns the message of the error. */
export function must(holds: boolean, what: () => string): asserts holds {
  if (!holds) throw new Error(what());
}

/** Formats a record's bytes as readable text. */
export const shown = (data: Uint8Array) => {
  const text = Buffer.from(data).toString();
  return `${JSON.stringify(text.slice(0, 500))} (${Buffer.from(data.subarray(0, 200)).toString('base64')})`;
};

/**
 * Checks that every delivered record has exactly one outcome: a dead letter with the record's bytes, an entry in the
 * history of its instance, or no effect because the history already contains the event. The test decodes events without
 * the service's code, to compare the service's results with the actual content.
 */
export async function accountFor(world: World): Promise<void> {
  must(world.parked.length === 0, () => `an event is parked: ${world.parked[0]!.reason}`);
  const kept = new Map((await allDeadLetters(world.deadLetters)).map((each) => [each.id, each]));
  const letters = new Set<string>();
  const expected = new Map<string, Map<string, StreamRecord>>();
  // The service's function `userRecords` has separate tests: `user-records.test.ts`.
  const apart = world.delivered.flatMap((record) => {
    const { records, refused } = userRecords(record);
    return refused ? [refused.record, ...records] : records;
  });
  for (const record of apart) {
    const id = deadLetterId(record);
    const letter = kept.get(id);
    if (letter) {
      letters.add(id);
      must(
        Buffer.compare(letter.raw, record.data) === 0,
        () => `a dead letter has different bytes than its record: ${letter.reason}`,
      );
      const texts = [letter.reason, letter.modelId, letter.transactionId, letter.eventId];
      must(
        texts.every((text) => text === null || text.isWellFormed()) && letter.reason.length <= 2000,
        () => `the dead letter cannot be stored: ${JSON.stringify(texts)}`,
      );
      continue;
    }
    const event = read(record.data);
    must(!claimsToBeOwn(event), () => `accepted a forged event: ${shown(record.data)}`);
    const instance = `${event.modelid as string}#${event.transactionid as string}`;
    const events = expected.get(instance) ?? new Map<string, StreamRecord>();
    expected.set(instance, events);
    const name = nameOf(event);
    if (!events.has(name)) events.set(name, record);
  }
  must(letters.size === kept.size, () => 'some dead letters belong to no record');
  const { histories } = world.instances;
  must(
    histories.size === expected.size,
    () => 'some instances belong to no record, or are missing',
  );
  for (const [instance, events] of expected) {
    const entries = (histories.get(instance) ?? []).flatMap((commit) => commit.entries);
    const names = entries.map(({ event }) => nameOf(event));
    must(
      isDeepStrictEqual(names, [...events.keys()]),
      () =>
        `${instance} contains the events ${names.join()} instead of ${[...events.keys()].join()}`,
    );
    for (const [index, record] of [...events.values()].entries()) asSent(record, entries[index]!);
  }
}

/** Checks that a history entry has the content of its record. */
function asSent(record: StreamRecord, { event, data }: HistoryEntry): void {
  const sent = read(record.data);
  const replyTo = event.replyTo && `${event.replyTo.model}/${event.replyTo.transaction}`;
  must(
    event.type === sent.type &&
      replyTo === (sent.replyto ?? undefined) &&
      sameMoment(event.time, sent.time, record.arrivedAt) &&
      data === JSON.stringify(sent.data === undefined ? {} : sent.data) &&
      !hasForbiddenKey(sent),
    () => `${shown(record.data)} became ${JSON.stringify({ event, data }).slice(0, 1000)}`,
  );
}

function sameMoment(kept: string, sent: Json | undefined, arrivedAt: number): boolean {
  if (sent === undefined || sent === null) return kept === toIso(arrivedAt);
  // Do not compare times with leap seconds or lowercase letters, which JavaScript cannot parse.
  const moment = Date.parse(sent as string);
  return /[a-z]|:60/.test(sent as string) || Date.parse(kept) === moment;
}

/**
 * True if an event's source is reserved for Milepost. Every event with such a source is forged, because the tests send
 * no genuine events from Milepost.
 */
const claimsToBeOwn = ({ source }: JsonObject) =>
  typeof source === 'string' && source.toLowerCase().startsWith('milepost:');

function hasForbiddenKey(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasForbiddenKey);
}

/** Parses the JSON of a record as a consumer other than Milepost would. */
export function read(data: Uint8Array): JsonObject {
  try {
    return JSON.parse(new TextDecoder().decode(data)) as JsonObject;
  } catch (error) {
    throw new Error(`a record is not JSON, but has no dead letter: ${shown(data)}`, {
      cause: error,
    });
  }
}

/** The permanent identity of an event. */
export const nameOf = ({ source, id }: JsonObject | HistoryEntry['event']) =>
  JSON.stringify([source ?? 'unknown', id]);
