import { EndpointClient } from './endpoint-client.ts';

export interface KinesisShard {
  readonly ShardId: string;
  readonly ParentShardId?: string;
  readonly AdjacentParentShardId?: string;
}

interface ShardPage {
  readonly Shards?: readonly KinesisShard[];
  readonly NextToken?: string;
}

/** A request for an iterator. `Timestamp` is in seconds since 1970. */
export interface KinesisIteratorRequest {
  readonly StreamName: string;
  readonly ShardId: string;
  readonly ShardIteratorType: 'TRIM_HORIZON' | 'LATEST' | 'AT_TIMESTAMP' | 'AFTER_SEQUENCE_NUMBER';
  readonly Timestamp?: number;
  readonly StartingSequenceNumber?: string;
}

/** A record of a stream. `Data` is Base64, and `ApproximateArrivalTimestamp` is in seconds since 1970. */
export interface KinesisRecord {
  readonly SequenceNumber: string;
  readonly PartitionKey: string;
  readonly Data: string;
  readonly ApproximateArrivalTimestamp: number;
}

export interface KinesisRecordPage {
  readonly Records: readonly KinesisRecord[];
  readonly NextShardIterator?: string;
  readonly MillisBehindLatest?: number;
}

/** A client for the local Kinesis endpoint, with the operations that read a stream. */
export class KinesisReadClient extends EndpointClient {
  constructor(url: string) {
    super(url, { name: 'kinesis', target: 'Kinesis_20131202', jsonVersion: '1.1' });
  }

  listShards(
    request: { readonly StreamName: string } | { readonly NextToken: string },
    signal?: AbortSignal,
  ): Promise<ShardPage> {
    return this.send('ListShards', request, signal);
  }

  async getShardIterator(request: KinesisIteratorRequest, signal?: AbortSignal): Promise<string> {
    const response = await this.send<{ ShardIterator: string }>(
      'GetShardIterator',
      request,
      signal,
    );
    return response.ShardIterator;
  }

  getRecords(
    request: { readonly ShardIterator: string; readonly Limit?: number },
    signal?: AbortSignal,
  ): Promise<KinesisRecordPage> {
    return this.send('GetRecords', request, signal);
  }
}
