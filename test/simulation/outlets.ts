import type { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import type { Environment } from './environment.ts';
import type { Account } from './lambdas.ts';
import type { PublishedNotice } from './log.ts';

/** A process's way to the stream: records of a request are put in any order, and some are refused. */
export function kinesisClientOf(
  { chance, inlet, weather }: Account,
  environment: Environment,
  by: 'instance' | 'clock',
): KinesisClient {
  const putAll = ({ input: { Records = [] } }: PutRecordsCommand) => {
    const answers = Records.map((): { ErrorCode?: string } => ({}));
    for (const index of chance.shuffled([...Records.keys()])) {
      const { PartitionKey, Data } = Records[index]!;
      if (chance.happens(weather.refused))
        answers[index] = { ErrorCode: 'ProvisionedThroughputExceededException' };
      else inlet.putOwn(by, PartitionKey!, Data!);
    }
    return Promise.resolve({ Records: answers });
  };
  const send = (command: PutRecordsCommand) =>
    environment.call(
      () => 'PutRecords',
      () => putAll(command),
    );
  return { send } as unknown as KinesisClient;
}

/** A process's way to the bus, which refuses some of the entries of a request. */
export function eventBridgeClientOf(
  { chance, count, log, weather }: Account,
  environment: Environment,
): EventBridgeClient {
  const putAll = ({ input }: PutEventsCommand) => {
    const answers = input.Entries!.map(({ DetailType, Detail }) => {
      if (chance.happens(weather.refused)) return { ErrorCode: 'ThrottlingException' };
      const detail = JSON.parse(Detail!) as PublishedNotice['detail'];
      log.notices.push({ type: DetailType!, detail });
      count('notices');
      return {};
    });
    return Promise.resolve({ Entries: answers });
  };
  const send = (command: PutEventsCommand) =>
    environment.call(
      () => 'PutEvents',
      () => putAll(command),
    );
  return { send } as unknown as EventBridgeClient;
}
