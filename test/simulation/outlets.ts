import type { EventBridge } from '../../src/aws/client/eventbridge.ts';
import type { Kinesis } from '../../src/aws/client/kinesis.ts';
import type { Environment } from './environment.ts';
import type { Account } from './lambdas.ts';
import type { PublishedNotification, Putter } from './log.ts';

/** An invalid response without `Records`. */
const hollowAnswer = {} as Awaited<ReturnType<Kinesis['putRecords']>>;

/**
 * Creates a process's client for the event stream. The client puts the records of a request in random order, and some
 * of them are rejected.
 */
export function kinesisClientOf(
  account: Account,
  environment: Environment,
  by: Exclude<Putter, 'producer'>,
): Kinesis {
  return putRecordsBy(account, environment, (partitionKey, data) =>
    account.inlet.putOwn(by, partitionKey, data),
  );
}

/** Creates a process's client for a stream that `put` adds records to. */
export function putRecordsBy(
  { chance, clock, outages, weather }: Account,
  environment: Environment,
  put: (partitionKey: string, data: Uint8Array) => void,
): Kinesis {
  const putAll: Kinesis['putRecords'] = ({ Records = [] }) => {
    const answers = Records.map((): { ErrorCode?: string } => ({}));
    for (const index of chance.shuffled([...Records.keys()])) {
      const { PartitionKey, Data } = Records[index]!;
      const isHot = outages.refuses('kinesis', PartitionKey!, clock.now());
      if (chance.happens(weather.refused) || isHot)
        answers[index] = { ErrorCode: 'ProvisionedThroughputExceededException' };
      else put(PartitionKey!, Data!);
    }
    return Promise.resolve({ Records: answers });
  };
  return {
    putRecords: (input) =>
      environment.call(() => 'PutRecords', {
        service: 'kinesis',
        effect: () => putAll(input),
        hollow: hollowAnswer,
      }),
  };
}

/**
 * Creates a process's client for the bus, which rejects some entries of a request.
 *
 * @param refuses returns true for entries that the bus permanently rejects.
 */
export function eventBridgeClientOf(
  { chance, clock, count, log, outages, weather }: Account,
  environment: Environment,
  refuses: (notification: PublishedNotification) => boolean,
): EventBridge {
  const putAll: EventBridge['putEvents'] = ({ Entries }) => {
    const answers = Entries!.map(({ DetailType, Detail }) => {
      const detail = JSON.parse(Detail!) as PublishedNotification['detail'];
      const notification = { type: DetailType!, detail };
      if (refuses(notification)) return { ErrorCode: 'MalformedDetail' };
      const isHot = outages.refuses('eventbridge', String(detail.transaction), clock.now());
      if (chance.happens(weather.refused) || isHot) return { ErrorCode: 'ThrottlingException' };
      log.notifications.push(notification);
      count('published notifications');
      return {};
    });
    return Promise.resolve({ Entries: answers });
  };
  return {
    putEvents: (input) =>
      environment.call(() => 'PutEvents', {
        service: 'eventbridge',
        effect: () => putAll(input),
        hollow: {},
      }),
  };
}
