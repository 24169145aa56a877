import type { BucketResponse } from './failure-bucket.ts';

interface PutRecordBatchInput {
  readonly DeliveryStreamName: string;
  readonly Records: readonly { readonly Data: string }[];
}

/** The delivery streams of Firehose, which the local service does not have. */
export class Firehose {
  readonly lines: string[] = [];
  readonly #waiting: string[] = [];
  #canDeliver = true;
  readonly #isStream: (name: string) => boolean;

  /** @param isStream returns true for the name of an existing delivery stream */
  constructor(isStream: (name: string) => boolean) {
    this.#isStream = isStream;
  }

  /** The number of accepted lines that are not delivered. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Sets whether the lines can be delivered. If they cannot, accepted lines wait. */
  set canDeliver(can: boolean) {
    this.#canDeliver = can;
    this.#deliver();
  }

  /** @see https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecordBatch.html */
  answer(operation: string, body: string): BucketResponse {
    if (operation !== 'Firehose_20150804.PutRecordBatch')
      throw new Error(`the account does not support ${operation}`);
    const { DeliveryStreamName, Records } = JSON.parse(body) as PutRecordBatchInput;
    if (!this.#isStream(DeliveryStreamName))
      return json(400, {
        __type: 'ResourceNotFoundException',
        message: `Firehose ${DeliveryStreamName} not found`,
      });
    this.#waiting.push(...Records.map(({ Data }) => Buffer.from(Data, 'base64').toString()));
    this.#deliver();
    return json(200, {
      FailedPutCount: 0,
      RequestResponses: Records.map((_, index) => ({ RecordId: String(index) })),
    });
  }

  #deliver(): void {
    if (this.#canDeliver) this.lines.push(...this.#waiting.splice(0));
  }
}

const json = (status: number, body: object): BucketResponse => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.1' },
  body: JSON.stringify(body),
});
