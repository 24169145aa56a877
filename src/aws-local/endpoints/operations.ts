/** The operations of an AWS service that a local endpoint supports. */
export interface Operations {
  readonly service: string;
  /** The prefix of `X-Amz-Target`, such as `Kinesis_20131202`. */
  readonly target: string;
  readonly names: readonly string[];
  /** Sentences about the alternatives to unsupported operations, by operation name. */
  readonly advice?: Readonly<Record<string, string>>;
}

const fanOut = 'Use GetShardIterator and GetRecords: enhanced fan-out is available only in AWS.';

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
    UpdateShardCount: 'Use SplitShard and MergeShards to change the number of shards.',
  },
};

export const dynamoDbOperations: Operations = {
  service: 'DynamoDB',
  target: 'DynamoDB_20120810',
  names: [
    ...['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query', 'Scan'],
    ...['BatchGetItem', 'BatchWriteItem', 'BatchExecuteStatement', 'ExecuteStatement'],
    ...['TransactGetItems', 'TransactWriteItems', 'ExecuteTransaction'],
    ...['ListTables', 'DescribeTable', 'CreateTable', 'UpdateTable', 'DeleteTable'],
    ...[
      'UpdateTimeToLive',
      'DescribeTimeToLive',
      'TagResource',
      'UntagResource',
      'ListTagsOfResource',
    ],
  ],
};

export const dynamoDbStreamsOperations: Operations = {
  service: 'DynamoDB Streams',
  target: 'DynamoDBStreams_20120810',
  names: ['ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords'],
};

/**
 * Explains why an operation is not supported. Returns undefined if the operation is supported or the request specifies
 * none.
 *
 * @param target the request's `X-Amz-Target`, such as `Kinesis_20131202.SubscribeToShard`.
 */
export function explainUnknown(target: unknown, operations: Operations): string | undefined {
  if (typeof target !== 'string' || target === '') return undefined;
  const { service, names, advice = {} } = operations;
  const [prefix, ...rest] = target.split('.');
  const name = rest.join('.');
  if (prefix !== operations.target)
    return `${target} is not an operation of ${service}. This is the local ${service} endpoint; check the endpoint URL.`;
  if (names.includes(name)) return undefined;
  const instead = Object.hasOwn(advice, name) ? advice[name] : `It supports ${names.join(', ')}.`;
  return `The local ${service} endpoint does not support ${name}. ${instead}`;
}
