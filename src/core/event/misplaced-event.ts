import { shortJson } from '../../common/short-json.ts';
import { readExact } from '../json/exact-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';

/** The maximum depth to search in envelopes. For example, an event in SNS in SQS in a pipe is two levels deep. */
const maximumLevels = 3;
/** The maximum number of names to compare. A hostile record can contain a hundred thousand names. */
const maximumNames = 100;

/**
 * Returns the reason for rejecting an object that is not an event but contains one, because a tool wrapped the event in
 * an envelope; undefined for any other object.
 */
export function reasonForEnvelope(value: JsonObject): string | undefined {
  const path = isEvent(value) ? undefined : pathToEvent(value, maximumLevels);
  return (
    path && `not an event, but ${shortJson(path.join('.'))} contains one: send only this event`
  );
}

/** Returns advice for JSON that is not an object, to append to the reason; empty if there is none. */
export function adviceForOtherJson(value: Json): string {
  if (Array.isArray(value)) return '; send each event separately';
  return typeof value === 'string' && isEvent(parsed(value))
    ? '; the string contains an event: encode it as JSON only once'
    : '';
}

/**
 * Returns the name of a member that looks like a different spelling of an attribute, such as `modelId`, `model_id`,
 * `ce-modelid`, or `model` for `modelid`; undefined if there is none.
 */
export function misspelledName(value: Json, attribute: string): string | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.keys(value)
    .slice(0, maximumNames)
    .find((name) => {
      const simple = name
        .toLowerCase()
        .replace(/^ce[-_]/, '')
        .replaceAll(/[-_]/g, '');
      return simple === attribute || `${simple}id` === attribute;
    });
}

const required = ['id', 'type', 'modelid', 'transactionid'];
const isEvent = (value: Json | undefined): value is JsonObject =>
  isJsonObject(value) && required.every((name) => Object.hasOwn(value, name));

function pathToEvent(value: JsonObject, levels: number): readonly string[] | undefined {
  if (levels === 0) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const inner = typeof member === 'string' ? parsed(member) : member;
    if (isEvent(inner)) return [name];
    const path = isJsonObject(inner) ? pathToEvent(inner, levels - 1) : undefined;
    if (path) return [name, ...path];
  }
  return undefined;
}

/** Parses text that may contain an event; returns undefined for other text. */
function parsed(text: string): Json | undefined {
  if (!text.includes('modelid')) return undefined;
  const read = readExact(text);
  return read.ok ? read.value : undefined;
}
