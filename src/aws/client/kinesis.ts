import type {
  DescribeStreamSummaryOutput,
  PutRecordsInput,
  PutRecordsOutput,
} from '@aws-sdk/client-kinesis';
import { encodeBytes } from './transport/attribute-bytes.ts';
import { jsonService } from './transport/json-service.ts';
import type { ServiceOptions } from './transport/service-client.ts';

/** The part of Kinesis that Milepost uses, with the method names of the AWS SDK's `Kinesis`. */
export interface Kinesis {
  putRecords(input: PutRecordsInput): Promise<Pick<PutRecordsOutput, 'Records'>>;
}

/** The part of the Kinesis API that describes streams, with the method names of the AWS SDK's `Kinesis`. */
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
    putRecords: async (input) => (await send('PutRecords', encodeBytes(input))) as PutRecordsOutput,
    describeStreamSummary: async (input) =>
      (await send('DescribeStreamSummary', input)) as DescribeStreamSummaryOutput,
  };
}
