import * as v from 'valibot';
import type { AnyStateMachine } from 'xstate';
import { timerFired, timerFiredType } from '../core/effects/timer.ts';
import { isJsonObject, type JsonObject } from '../core/json/json.ts';
import type { EventSchemas } from '../core/model/model.ts';
import { isXStates, nodesOf } from './nodes.ts';

const anyObject = v.custom<JsonObject>(isJsonObject, 'must be an object');

/**
 * Returns the event types that a machine accepts, with their data schemas. The result includes the types of events that
 * only the machine itself raises because the machine's definition does not distinguish them from received events.
 */
export function eventSchemasOf(machine: AnyStateMachine, given: EventSchemas = {}): EventSchemas {
  const named = typesIn(machine).filter((type) => !isWildcard(type));
  return {
    ...Object.fromEntries(named.map((type) => [type, anyObject])),
    ...given,
    [timerFiredType]: timerFired,
  };
}

/** Returns why a machine's event types do not match the given schemas; undefined if they match. */
export function eventsViolation(
  machine: AnyStateMachine,
  given: EventSchemas = {},
): string | undefined {
  const taken = typesIn(machine);
  const known = [...taken.filter((type) => !isWildcard(type)), ...Object.keys(given)];
  if (known.includes(timerFiredType)) return `${timerFiredType} is reserved for Milepost`;
  const unknown = Object.keys(given).find((type) => !taken.some((each) => matches(type, each)));
  if (unknown !== undefined) return `events contains ${unknown}, which the machine does not accept`;
  const bare = taken.find((each) => !known.some((type) => matches(type, each)));
  return bare === undefined ? undefined : `events must list the types that match ${bare}`;
}

function typesIn(machine: AnyStateMachine): string[] {
  const types = nodesOf(machine).flatMap((node) => node.ownEvents as string[]);
  return [...new Set(types)].filter((type) => !isXStates(type));
}

/**
 * Returns true if an event type is a wildcard: `*` matches every event type, and `order.*` matches `order` and every
 * type that starts with `order.`.
 */
const isWildcard = (type: string) => type === '*' || type.endsWith('.*');

function matches(type: string, taken: string): boolean {
  if (taken === '*' || taken === type) return true;
  const stem = taken.slice(0, -2);
  return isWildcard(taken) && (type === stem || type.startsWith(`${stem}.`));
}
