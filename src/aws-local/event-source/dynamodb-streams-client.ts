import type { ChangeRecord } from '../dynamodb/change-streams/change-record.ts';
import { EndpointClient } from './endpoint-client.ts';

export interface StreamShard {
  readonly ShardId: string;
  readonly ParentShardId?: string;
  readonly SequenceNumberRange: {
    readonly StartingSequenceNumber: string;
    readonly EndingSequenceNumber?: string;
  };
}

interface ShardPage {
  readonly Shards: readonly StreamShard[];
  readonly LastEvaluatedShardId?: string;
}

export interface ShardIteratorRequest {
  readonly StreamArn: string;
  readonly ShardId: string;
  readonly ShardIteratorType:
    | 'TRIM_HORIZON'
    | 'LATEST'
    | 'AT_SEQUENCE_NUMBER'
    | 'AFTER_SEQUENCE_NUMBER';
  readonly SequenceNumber?: string;
}

export interface RecordPage {
  readonly Records: readonly ChangeRecord[];
  readonly NextShardIterator?: string;
}

/** A client for the local DynamoDB Streams endpoint. */
export class DynamoDbStreamsClient extends EndpointClient {
  constructor(url: string) {
    super(url, { name: 'dynamodb', target: 'DynamoDBStreams_20120810', jsonVersion: '1.0' });
  }

  async describeStream(
    request: { readonly StreamArn: string; readonly ExclusiveStartShardId?: string },
    signal?: AbortSignal,
  ): Promise<ShardPage> {
    const { StreamDescription } = await this.send<{ StreamDescription: ShardPage }>(
      'DescribeStream',
      request,
      signal,
    );
    return StreamDescription;
  }

  async getShardIterator(request: ShardIteratorRequest, signal?: AbortSignal): Promise<string> {
    const { ShardIterator } = await this.send<{ ShardIterator: string }>(
      'GetShardIterator',
      request,
      signal,
    );
    return ShardIterator;
  }

  getRecords(
    request: { readonly ShardIterator: string; readonly Limit?: number },
    signal?: AbortSignal,
  ): Promise<RecordPage> {
    return this.send('GetRecords', request, signal);
  }
}
