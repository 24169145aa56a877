import { messageOf } from '../../common/message-of.ts';
import type { PublishedEvent } from './bus-event.ts';
import { compilePattern, type EventMatcher } from './event-pattern.ts';
import { type InputTransformer, transformInput, valueAt } from './input-transformer.ts';

/** A rule that puts events from an EventBridge bus on a stream. */
export interface BusRuleDefinition {
  /** The logical id of the rule. */
  readonly id: string;
  readonly busName: string;
  readonly eventPattern: Readonly<Record<string, unknown>>;
  readonly streamName: string;
  /** The path of the partition key in the event, such as `$.detail.orderId`. */
  readonly partitionKeyPath: string;
  /** Transforms the event into the record's data. Without a transformer, the data is the event. */
  readonly transformer?: InputTransformer;
}

/** A rule with its compiled pattern. */
export interface StreamRule extends BusRuleDefinition {
  readonly matches: EventMatcher;
}

/** A record to put on a stream. */
export interface RuleRecord {
  readonly streamName: string;
  readonly PartitionKey: string;
  readonly Data: Uint8Array;
}

/** The maximum length of a Kinesis partition key, in characters. */
const maximumPartitionKeyLength = 256;

/** Compiles a rule. @throws TypeError with the rule's id for an unsupported pattern. */
export function compileRule(definition: BusRuleDefinition): StreamRule {
  try {
    return { ...definition, matches: compilePattern(definition.eventPattern) };
  } catch (error) {
    throw new TypeError(`the rule ${definition.id}: ${messageOf(error)}`, { cause: error });
  }
}

/** Builds the records for all rules that match, in the order of the events. */
export function recordsOf(
  rules: readonly StreamRule[],
  events: readonly PublishedEvent[],
): readonly RuleRecord[] {
  return events.flatMap(({ bus, event }) =>
    rules
      .filter((rule) => rule.busName === bus && rule.matches(event))
      .map(({ streamName, partitionKeyPath, transformer }) => ({
        streamName,
        PartitionKey: keyOf(valueAt(partitionKeyPath, event), event.id),
        Data: Buffer.from(transformer ? transformInput(transformer, event) : JSON.stringify(event)),
      })),
  );
}

/**
 * Returns the partition key of a record. If Kinesis would reject the value as a key, returns the event's unique id
 * instead so that the record reaches the stream and becomes a dead letter with a reason.
 */
function keyOf(value: unknown, fallback: string): string {
  const key = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return key === '' || key.length > maximumPartitionKeyLength ? fallback : key;
}
