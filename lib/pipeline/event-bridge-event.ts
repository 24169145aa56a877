import { Token } from 'aws-cdk-lib';
import { EventField, type EventPattern, Match, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { MilepostError } from '../../src/core/errors.ts';
import { modelIdPattern } from '../../src/core/event/event.ts';
import { isReservedSource } from '../../src/core/event/reserved-source.ts';
import { requireObject } from '../options/require-object.ts';
import { shown } from '../options/shown.ts';

/** A value in an event's data: a path, a constant, or an object or array of these. */
export type MappedData =
  | string
  | number
  | boolean
  | null
  | readonly MappedData[]
  | { readonly [name: string]: MappedData };

/**
 * Maps an event from a bus to a Milepost event. A string that starts with `$` must be a path into the bus event, such
 * as `$.detail.orderId`; any other string is a constant.
 */
export interface MappedEvent {
  /** The id of a model, or a path to it. */
  readonly modelId: string;
  /** A path to the transaction id, which is also the partition key so that an instance's events keep their order. */
  readonly transactionId: string;
  /** The event type, or a path to it. @default '$.detail-type' */
  readonly type?: string;
  /** A path to the event's id, which together with the source uniquely identifies the event. @default '$.id' */
  readonly id?: string;
  /** The system that reports the event, or a path to it. The prefix `milepost:` is reserved. @default '$.source' */
  readonly source?: string;
  /** A path to the time at which the event happened: RFC 3339. @default '$.time' */
  readonly time?: string;
  /** The event's data. @default '$.detail' */
  readonly data?: MappedData;
}

const attributes = ['modelId', 'transactionId', 'type', 'id', 'source', 'time', 'data'];

/** The path to the source in a bus event. */
const busSource = '$.source';

/**
 * The paths that EventBridge supports: names separated by dots, and array indexes.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-transform-target-input.html
 */
const path = /^\$(?:\.[\w-]+(?:\[\d+\])*)+$/;
const maximumPathLength = 256;
const maximumPaths = 100;

/**
 * Builds the stream record of a bus event.
 *
 * @throws MilepostError `bad-request` for a mapping that EventBridge or Milepost would reject.
 */
export function inputOf(id: string, event: MappedEvent): RuleTargetInput {
  const reject = (reason: string): never => {
    throw new MilepostError('bad-request', `event source "${id}": ${reason}`);
  };
  const paths = new Set<string>();
  const toInput = (value: MappedData, name: string): unknown => {
    if (typeof value !== 'string' || Token.isUnresolved(value)) {
      if (Array.isArray(value)) return value.map((each: MappedData) => toInput(each, name));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, each]) => [key, toInput(each, `${name}.${key}`)]),
      );
    }
    if (!isPath(value)) {
      // EventBridge would interpret text in angle brackets as a variable.
      if (/[<>]/.test(value)) reject(`${name} must not contain < or >; got "${value}"`);
      return value;
    }
    if (!path.test(value) || value.length > maximumPathLength)
      reject(`${name} must be a path such as $.detail.orderId; got "${value}"`);
    paths.add(value);
    return EventField.fromPath(value);
  };
  const example = "{ modelId: 'orders', transactionId: '$.detail.orderId' }";
  requireObject(`event source "${id}": \`event\``, event, example, attributes);
  const { modelId, transactionId } = event;
  if (typeof modelId !== 'string' || typeof transactionId !== 'string')
    reject(
      `modelId and transactionId must be strings; got ${shown(modelId)} and ${shown(transactionId)}`,
    );
  if (!isPath(transactionId) && !Token.isUnresolved(transactionId))
    reject(`transactionId must be a path such as $.detail.orderId; got "${transactionId}"`);
  if (!isPath(modelId) && !Token.isUnresolved(modelId) && !modelIdPattern.test(modelId))
    reject(
      `modelId must be a path, or have 1 to 64 characters from a-z, 0-9, and -; got "${modelId}"`,
    );
  for (const name of ['type', 'id', 'source', 'time'] as const) {
    const value = event[name];
    if (value === undefined || Token.isUnresolved(value)) continue;
    if (typeof value !== 'string' || value === '')
      reject(`${name} must be a path or a non-empty string; got ${shown(value)}`);
    // With a constant id, all events of an instance but the first would be duplicates.
    if ((name === 'id' || name === 'time') && !isPath(value))
      reject(`${name} must be a path such as $.${name}; got "${value}"`);
  }
  const { source = busSource } = event;
  if (isReservedSource(source))
    reject(`source must not start with "milepost:", which is reserved; got "${source}"`);
  const input = {
    specversion: '1.0',
    id: toInput(event.id ?? '$.id', 'id'),
    source: toInput(source, 'source'),
    type: toInput(event.type ?? '$.detail-type', 'type'),
    time: toInput(event.time ?? '$.time', 'time'),
    modelid: toInput(modelId, 'modelId'),
    transactionid: toInput(transactionId, 'transactionId'),
    data: toInput(event.data === undefined ? '$.detail' : event.data, 'data'),
  };
  if (paths.size > maximumPaths)
    reject(
      `the mapping must have at most ${maximumPaths} paths, which is EventBridge's limit; got ${paths.size}`,
    );
  return RuleTargetInput.fromObject(input);
}

export const isPath = (text: string) => text.startsWith('$');

/**
 * Narrows the pattern to events whose source is not reserved for Milepost's own events, if the mapping uses the bus
 * event's source and the pattern does not restrict that source.
 *
 * @throws MilepostError `bad-request` if the pattern is missing or matches a reserved source.
 */
export function withoutReserved(
  id: string,
  pattern: EventPattern,
  { source = busSource }: MappedEvent,
): EventPattern {
  const reject = (reason: string): never => {
    throw new MilepostError('bad-request', `event source "${id}": ${reason}`);
  };
  if (typeof pattern !== 'object' || pattern === null || Array.isArray(pattern))
    reject(
      `\`eventPattern\` must select events, such as { source: ['com.example.shop'] }; got ${shown(pattern)}`,
    );
  for (const [name, value] of Object.entries(pattern))
    if (
      name !== 'detail' &&
      value !== undefined &&
      !(Array.isArray(value) && value.length > 0) &&
      !Token.isUnresolved(value)
    )
      reject(
        `\`eventPattern.${name}\` must be a non-empty list, such as ['com.example.shop']; got ${shown(value)}`,
      );
  if (source !== busSource) return pattern;
  if (!pattern.source) return { ...pattern, source: Match.anythingButPrefix('milepost:') };
  const reserved = Token.isUnresolved(pattern.source)
    ? undefined
    : pattern.source.find(isReservedSource);
  if (reserved === undefined) return pattern;
  return reject(
    `the pattern must not match sources that start with "milepost:", which is reserved; got "${reserved}"`,
  );
}
