import * as v from 'valibot';
import type { ChangeRecord } from '../dynamodb/change-streams/change-record.ts';

/** An error response of DynamoDB Streams, with the error's type as its name, such as `ExpiredIteratorException`. */
class DynamoDbStreamsError extends Error {
  constructor(type: string, message = type) {
    super(message);
    this.name = type.slice(type.indexOf('#') + 1);
  }
}

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

/** A signature for requests. The endpoint requires a signature but does not verify it. */
const authorization =
  'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none';

const errorSchema = v.object({ __type: v.string(), message: v.optional(v.string()) });

/** A client of DynamoDB Streams for the local endpoint. */
export class DynamoDbStreamsClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
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

  /** Sends a request for an operation. @throws DynamoDbStreamsError for an error response */
  async send<Response>(
    operation: string,
    request: object,
    signal?: AbortSignal,
  ): Promise<Response> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDBStreams_20120810.${operation}`,
      },
      body: JSON.stringify(request),
      signal,
    });
    const body: unknown = await response.json();
    if (response.ok) return body as Response;
    const { __type, message } = v.parse(errorSchema, body);
    throw new DynamoDbStreamsError(__type, message);
  }
}
