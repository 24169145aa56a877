import type {
  DescribeStreamSummaryOutput,
  PutRecordsInput,
  PutRecordsOutput,
} from '@aws-sdk/client-kinesis';
import { encodeBytes } from './transport/attribute-bytes.ts';
import { jsonService } from './transport/json-service.ts';
import type { ServiceOptions } from './transport/service-client.ts';

/** The Kinesis operations for writing, named like the methods of the AWS SDK's `Kinesis` client. */
export interface Kinesis {
  putRecords(input: PutRecordsInput): Promise<Pick<PutRecordsOutput, 'Records'>>;
}

/** The Kinesis operations that describe streams, named like the methods of the AWS SDK's `Kinesis` client. */
export interface KinesisDescriber {
  describeStreamSummary(input: {
    readonly StreamName: string;
  }): Promise<Pick<DescribeStreamSummaryOutput, 'StreamDescriptionSummary'>>;
}

export function kinesis(options: ServiceOptions): Kinesis & KinesisDescriber {
  const send = jsonService(options, {
    service: 'kinesis',
    version: '1.1',
    target: 'Kinesis_20131202',
  });
  return {
    putRecords: (input) => send('PutRecords', encodeBytes(input)),
    describeStreamSummary: (input) => send('DescribeStreamSummary', input),
  };
}
