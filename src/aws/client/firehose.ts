import { jsonService } from './transport/json-service.ts';
import type { ServiceOptions } from './transport/service-client.ts';

/** What became of a record: an id where it was taken. */
export interface PutRecordBatchResponse {
  readonly ErrorCode?: string;
  readonly ErrorMessage?: string;
}

/** What of Firehose is used, under the name that the AWS SDK's `Firehose` gives it. */
export interface Firehose {
  /** @see https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecordBatch.html */
  putRecordBatch(input: {
    readonly DeliveryStreamName: string;
    readonly Records: readonly { readonly Data: Uint8Array }[];
  }): Promise<{ readonly RequestResponses?: readonly PutRecordBatchResponse[] }>;
}

/** Firehose. */
export function firehose(options: ServiceOptions): Firehose {
  const service = { service: 'firehose', version: '1.1', target: 'Firehose_20150804' } as const;
  const send = jsonService(options, service);
  return {
    putRecordBatch: async ({ Records, ...rest }) => {
      const records = Records.map(({ Data }) => ({ Data: Buffer.from(Data).toString('base64') }));
      return (await send('PutRecordBatch', { ...rest, Records: records })) as {
        RequestResponses?: PutRecordBatchResponse[];
      };
    },
  };
}
