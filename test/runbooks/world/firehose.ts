import type { BucketResponse } from './failure-bucket.ts';

/** A delivery stream of Firehose, which the local service does not have. */
export class Firehose {
  /** The delivered lines. */
  readonly lines: string[] = [];
  /** Whether the role of the sender has lost its permission. */
  isDenied = false;

  /** @see https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecordBatch.html */
  answer(operation: string, body: string): BucketResponse {
    if (operation !== 'Firehose_20150804.PutRecordBatch')
      throw new Error(`the account does not support ${operation}`);
    if (this.isDenied)
      return json(400, {
        __type: 'AccessDeniedException',
        Message:
          'User: arn:aws:sts::000000000000:assumed-role/archiver is not authorized to perform: firehose:PutRecordBatch',
      });
    const { Records } = JSON.parse(body) as { Records: readonly { readonly Data: string }[] };
    this.lines.push(...Records.map(({ Data }) => Buffer.from(Data, 'base64').toString()));
    return json(200, {
      FailedPutCount: 0,
      RequestResponses: Records.map((_, index) => ({ RecordId: String(index) })),
    });
  }
}

const json = (status: number, body: object): BucketResponse => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.1' },
  body: JSON.stringify(body),
});
