import { type KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import type { PublishedEvent } from './bus-event.ts';
import { recordsOf, type StreamRule } from './stream-rule.ts';

/** Puts events where rules send them. */
export type RuleTargets = (events: readonly PublishedEvent[]) => Promise<void>;

/**
 * Puts the events that rules match on their streams.
 *
 * @throws when a stream does not take them: then the sender is told, and sends them again.
 */
export function ruleTargets(kinesis: KinesisClient, rules: readonly StreamRule[]): RuleTargets {
  return async (events) => {
    const byStream = Map.groupBy(recordsOf(rules, events), ({ streamName }) => streamName);
    for (const [StreamName, records] of byStream) {
      const Records = records.map(({ PartitionKey, Data }) => ({ PartitionKey, Data }));
      const { FailedRecordCount = 0 } = await kinesis.send(
        new PutRecordsCommand({ StreamName, Records }),
      );
      if (FailedRecordCount > 0)
        throw new Error(`${FailedRecordCount} of ${Records.length} records were not put`);
    }
  };
}
