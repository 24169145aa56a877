import { jsonService } from './transport/json-service.ts';
import type { ServiceOptions } from './transport/service-client.ts';

/** The result for one record, with an error code if Firehose rejected it. */
export interface PutRecordBatchResponse {
  readonly ErrorCode?: string;
  readonly ErrorMessage?: string;
}

/** The Firehose operations that Milepost uses, named like the methods of the AWS SDK's `Firehose` client. */
export interface Firehose {
  /**
   * Puts records, each of which can be rejected individually.
   *
   * @see https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecordBatch.html
   */
  putRecordBatch(input: {
    readonly DeliveryStreamName: string;
    readonly Records: readonly { readonly Data: Uint8Array }[];
  }): Promise<{ readonly RequestResponses?: readonly PutRecordBatchResponse[] }>;
}

export function firehose(options: ServiceOptions): Firehose {
  const service = { service: 'firehose', version: '1.1', target: 'Firehose_20150804' } as const;
  const send = jsonService(options, service);
  return {
    putRecordBatch: ({ Records, ...rest }) => {
      const records = Records.map(({ Data }) => ({ Data: Buffer.from(Data).toString('base64') }));
      return send('PutRecordBatch', { ...rest, Records: records });
    },
  };
}
