import { messageOf } from '../../common/message-of.ts';
import type { PublishedEvent } from './bus-event.ts';
import { compilePattern, type EventMatcher } from './event-pattern.ts';
import { type InputTransformer, transformInput, valueAt } from './input-transformer.ts';

/** A rule that puts events of an EventBridge bus on a stream. */
export interface BusRuleDefinition {
  /** The logical id of the rule. */
  readonly id: string;
  readonly busName: string;
  readonly eventPattern: Readonly<Record<string, unknown>>;
  readonly streamName: string;
  /** A path into the event, such as `$.detail.orderId`. */
  readonly partitionKeyPath: string;
  /** Makes the record of the event; without it the record is the event. */
  readonly transformer?: InputTransformer;
}

/** A rule that is ready to match. */
export interface StreamRule extends BusRuleDefinition {
  readonly matches: EventMatcher;
}

/** A record for a stream. */
export interface RuleRecord {
  readonly streamName: string;
  readonly PartitionKey: string;
  readonly Data: Uint8Array;
}

/** The longest partition key that Kinesis takes, in characters. */
const maximumPartitionKeyLength = 256;

/** Makes a rule ready. @throws TypeError, with the rule's name, for a pattern that is not known here. */
export function compileRule(definition: BusRuleDefinition): StreamRule {
  try {
    return { ...definition, matches: compilePattern(definition.eventPattern) };
  } catch (error) {
    throw new TypeError(`the rule ${definition.id}: ${messageOf(error)}`, { cause: error });
  }
}

/** The records that rules make of events, in the order of the events. */
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

/** An event without a key that Kinesis takes has one of its own, so that its record is a dead letter with a reason. */
function keyOf(value: unknown, otherwise: string): string {
  const key = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return key === '' || key.length > maximumPartitionKeyLength ? otherwise : key;
}
