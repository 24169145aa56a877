import { type KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import type { PublishedEvent } from './bus-event.ts';
import { recordsOf, type StreamRule } from './stream-rule.ts';

/** Sends events to the targets of the rules that match. */
export type RuleTargets = (events: readonly PublishedEvent[]) => Promise<void>;

/**
 * Returns a function that puts the events that match rules on the rules' streams. It throws if a stream rejects
 * records. The sender of the events then receives an error and retries.
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
        throw new Error(`the stream rejected ${FailedRecordCount} of ${Records.length} records`);
    }
  };
}
