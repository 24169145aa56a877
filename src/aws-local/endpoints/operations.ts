/** The operations that a local endpoint has, of one AWS service. */
export interface Operations {
  readonly service: string;
  /** The start of `X-Amz-Target`, e.g. `Kinesis_20131202`. */
  readonly target: string;
  readonly names: readonly string[];
  /** What to do in place of operations that are missing here, by their names. */
  readonly advice?: Readonly<Record<string, string>>;
}

const fanOut = 'Read with GetShardIterator and GetRecords: enhanced fan-out is in AWS only.';

export const kinesisOperations: Operations = {
  service: 'Kinesis',
  target: 'Kinesis_20131202',
  names: [
    ...['PutRecord', 'PutRecords', 'GetShardIterator', 'GetRecords', 'ListShards'],
    ...['DescribeStream', 'DescribeStreamSummary', 'ListStreams', 'CreateStream', 'DeleteStream'],
    ...['SplitShard', 'MergeShards', 'AddTagsToStream', 'ListTagsForStream'],
    ...['RemoveTagsFromStream', 'IncreaseStreamRetentionPeriod', 'DecreaseStreamRetentionPeriod'],
  ],
  advice: {
    SubscribeToShard: fanOut,
    RegisterStreamConsumer: fanOut,
    DescribeStreamConsumer: fanOut,
    ListStreamConsumers: fanOut,
    UpdateShardCount: 'Change the number of shards with SplitShard and MergeShards.',
  },
};

export const dynamoDbOperations: Operations = {
  service: 'DynamoDB',
  target: 'DynamoDB_20120810',
  names: [
    ...['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query', 'Scan'],
    ...['BatchGetItem', 'BatchWriteItem', 'BatchExecuteStatement'],
    ...['ListTables', 'DescribeTable', 'CreateTable', 'UpdateTable', 'DeleteTable'],
    ...['DescribeTimeToLive', 'TagResource', 'UntagResource', 'ListTagsOfResource'],
  ],
};

/**
 * Explains why an operation cannot be had. Undefined: it can, or the request names none.
 *
 * @param target the request's `X-Amz-Target`, e.g. `Kinesis_20131202.SubscribeToShard`.
 */
export function explainUnknown(target: unknown, operations: Operations): string | undefined {
  if (typeof target !== 'string' || target === '') return undefined;
  const { service, names, advice = {} } = operations;
  const [prefix, name = ''] = target.split('.');
  if (prefix !== operations.target)
    return `${target} is not an operation of ${service}, and this is the local ${service} endpoint. Check the endpoint URL.`;
  if (names.includes(name)) return undefined;
  const instead = Object.hasOwn(advice, name) ? advice[name] : `It has ${names.join(', ')}.`;
  return `The local ${service} endpoint does not have ${name}. ${instead}`;
}
