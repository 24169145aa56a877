import { jsonService } from './transport/json-service.ts';
import type { ServiceOptions } from './transport/service-client.ts';

/** A message that a queue delivers after a delay. */
export interface DelayedMessage {
  /** Identifies the message in the request. */
  readonly Id: string;
  readonly MessageBody: string;
  /** An integer from 0 to 900. */
  readonly DelaySeconds: number;
}

/** The SQS operations that Milepost uses, named like the methods of the AWS SDK's `SQS` client. */
export interface Sqs {
  /**
   * Sends up to 10 messages and returns the rejected messages.
   *
   * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html
   */
  sendMessageBatch(input: {
    readonly QueueUrl: string;
    readonly Entries: readonly DelayedMessage[];
  }): Promise<{ readonly Failed?: readonly { readonly Id: string; readonly Message?: string }[] }>;
}

export function sqs(options: ServiceOptions): Sqs {
  const send = jsonService(options, { service: 'sqs', version: '1.0', target: 'AmazonSQS' });
  return {
    sendMessageBatch: (input) => send('SendMessageBatch', input),
  };
}
