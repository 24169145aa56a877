import { shortJson } from '../../common/short-json.ts';
import { readExact } from '../json/exact-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';

/** Envelopes are nested at most this deep: SNS in SQS in a pipe, for example, takes two levels. */
const maximumLevels = 3;
/** The maximum number of names to compare, because a hostile record can have a hundred thousand. */
const maximumNames = 100;

/**
 * Returns advice for a value that contains an event, because a tool wrapped the event in an envelope or encoded it as a
 * JSON string. For an object, the advice is the whole reason; for any other value, the end of the reason. Returns
 * undefined if the value contains no event.
 */
export function adviceForMisplacedEvent(value: Json): string | undefined {
  if (Array.isArray(value)) return '; send each event separately';
  if (typeof value === 'string')
    return isEvent(parsed(value))
      ? '; the string contains an event: encode it as JSON only once'
      : undefined;
  if (!isJsonObject(value) || isEvent(value)) return undefined;
  const path = pathToEvent(value, maximumLevels)?.join('.');
  return path && `not an event, but ${shortJson(path)} contains one: send only this event`;
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

/** Parses a text that can contain an event; undefined for any other text. */
function parsed(text: string): Json | undefined {
  if (!text.includes('modelid')) return undefined;
  const read = readExact(text);
  return read.ok ? read.value : undefined;
}
