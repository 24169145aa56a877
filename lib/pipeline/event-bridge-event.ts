import { Token } from 'aws-cdk-lib';
import { EventField, type EventPattern, Match, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { MilepostError } from '../../src/core/errors.ts';
import { modelIdPattern } from '../../src/core/event/event.ts';
import { isReservedSource } from '../../src/core/event/reserved-source.ts';

/** What becomes the data of an event: a path, a constant, or an object of such. */
export type MappedData =
  | string
  | number
  | boolean
  | null
  | readonly MappedData[]
  | { readonly [name: string]: MappedData };

/**
 * How an event of a bus becomes one of Milepost's. A text that starts with `$.` is a path into the event
 * of the bus, such as `$.detail.orderId`; any other is taken as it stands.
 */
export interface MappedEvent {
  /** What is one model's, or a path to it. */
  readonly modelId: string;
  /** A path to a text; it is the partition key too, so that an instance's events keep their order. */
  readonly transactionId: string;
  /** What happened. @default '$.detail-type' */
  readonly type?: string;
  /** With the source, it names the event for ever. @default '$.id' */
  readonly id?: string;
  /** The system that reports it; `milepost:` at its start is reserved. @default '$.source' */
  readonly source?: string;
  /** When it happened. @default '$.time' */
  readonly time?: string;
  /** What there is to know about it. @default '$.detail' */
  readonly data?: MappedData;
}

/** Where an event of a bus says who put it there. */
const busSource = '$.source';

/**
 * What EventBridge takes: names with dots between them, and places in arrays.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-transform-target-input.html
 */
const path = /^\$(?:\.[\w-]+(?:\[\d+\])*)+$/;
const maximumPathLength = 256;
const maximumPaths = 100;

/**
 * The record that an event of a bus becomes.
 *
 * @throws MilepostError `bad-request` for what EventBridge, or Milepost, would not take
 */
export function inputOf(id: string, event: MappedEvent): RuleTargetInput {
  const { modelId, transactionId } = event;
  const refuse = (reason: string): never => {
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
      // EventBridge would look for a variable of that name.
      if (/[<>]/.test(value)) refuse(`${name} must have no < or > in it: "${value}"`);
      return value;
    }
    if (!path.test(value) || value.length > maximumPathLength)
      refuse(`${name} must be a path such as $.detail.orderId, and is "${value}"`);
    paths.add(value);
    return EventField.fromPath(value);
  };
  if (!isPath(transactionId) && !Token.isUnresolved(transactionId))
    refuse(`transactionId must be a path such as $.detail.orderId, and is "${transactionId}"`);
  if (!isPath(modelId) && !Token.isUnresolved(modelId) && !modelIdPattern.test(modelId))
    refuse(`modelId must be 1 to 64 of a-z, 0-9 and -, or a path, and is "${modelId}"`);
  const { source = busSource } = event;
  if (isReservedSource(source))
    refuse(`source must not start with "milepost:", which is reserved; got "${source}"`);
  const input = {
    specversion: '1.0',
    id: toInput(event.id ?? '$.id', 'id'),
    source: toInput(source, 'source'),
    type: toInput(event.type ?? '$.detail-type', 'type'),
    time: toInput(event.time ?? '$.time', 'time'),
    modelid: toInput(modelId, 'modelId'),
    transactionid: toInput(transactionId, 'transactionId'),
    data: toInput(event.data ?? '$.detail', 'data'),
  };
  if (paths.size > maximumPaths)
    refuse(`${paths.size} paths, and EventBridge takes ${maximumPaths}`);
  return RuleTargetInput.fromObject(input);
}

export const isPath = (text: string) => text.startsWith('$');

/**
 * The pattern, so that it matches no event whose source is reserved for Milepost's own, where a pattern
 * can say so: where the source is the bus event's own, and the pattern leaves it open.
 *
 * @throws MilepostError `bad-request` where it asks for such a source
 */
export function withoutReserved(
  id: string,
  pattern: EventPattern,
  { source = busSource }: MappedEvent,
): EventPattern {
  if (source !== busSource) return pattern;
  if (!pattern.source) return { ...pattern, source: Match.anythingButPrefix('milepost:') };
  const reserved = Token.isUnresolved(pattern.source)
    ? undefined
    : pattern.source.find(isReservedSource);
  if (reserved === undefined) return pattern;
  throw new MilepostError(
    'bad-request',
    `event source "${id}": the pattern must match no source that starts with "milepost:", which is reserved; got "${reserved}"`,
  );
}
