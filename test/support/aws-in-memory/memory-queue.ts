import type { DelayedMessage, Sqs } from '../../../src/aws/client/sqs.ts';
import type { Clock } from '../../../src/common/clock.ts';

/** The fate of a message, or of the request that sends it. */
export interface Delivery {
  readonly lost?: boolean;
  /** The number of deliveries. Default: 1. */
  readonly copies?: number;
  /** The lateness of the message in milliseconds. Negative if it is early. */
  readonly shift?: number;
  /** The queue rejects the message. */
  readonly refused?: boolean;
  /** The queue does not respond. */
  readonly mute?: boolean;
}

/** An in-memory SQS queue that delivers messages after their delay. */
export class MemoryQueue implements Sqs {
  /** Receives the bodies of messages that are delivered together. */
  receive: (bodies: readonly string[]) => Promise<void> = () => Promise.resolve();
  /** The number of messages that were sent, including messages that the queue rejected or lost. */
  sent = 0;
  readonly #clock: Clock;
  readonly #deliveries: () => Delivery;

  constructor(clock: Clock, deliveries: () => Delivery) {
    this.#clock = clock;
    this.#deliveries = deliveries;
  }

  async sendMessageBatch({ Entries }: { readonly Entries: readonly DelayedMessage[] }) {
    const Failed: { readonly Id: string }[] = [];
    for (const { Id, MessageBody, DelaySeconds } of Entries) {
      const { lost, copies = 1, shift = 0, refused, mute } = this.#deliveries();
      if (mute) return new Promise<never>(() => {});
      this.sent += 1;
      if (refused) Failed.push({ Id });
      else if (!lost)
        for (let copy = 0; copy < copies; copy++)
          void this.#deliver(MessageBody, Math.max(0, 1_000 * DelaySeconds + shift));
    }
    return { Failed };
  }

  async #deliver(body: string, delay: number): Promise<void> {
    await this.#clock.sleep(delay);
    await this.receive([body]);
  }
}
