import type { PutRecordsInput, PutRecordsOutput } from '@aws-sdk/client-kinesis';
import { encodeBytes } from './attribute-bytes.ts';
import { jsonService } from './json-service.ts';
import type { ServiceOptions } from './service-client.ts';

/** The part of Kinesis that Milepost uses, with the names of the AWS SDK's `Kinesis`. */
export interface Kinesis {
  putRecords(input: PutRecordsInput): Promise<Pick<PutRecordsOutput, 'Records'>>;
}

/** Creates a Kinesis client. */
export function kinesis(options: ServiceOptions): Kinesis {
  const send = jsonService(options, {
    service: 'kinesis',
    version: '1.1',
    target: 'Kinesis_20131202',
  });
  return {
    putRecords: async (input) => (await send('PutRecords', encodeBytes(input))) as PutRecordsOutput,
  };
}
