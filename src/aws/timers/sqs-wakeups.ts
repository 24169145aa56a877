import { inChunks } from '../../common/chunks.ts';
import type { Clock } from '../../common/clock.ts';
import { Deadline } from '../../common/deadline.ts';
import { messageOf } from '../../common/message-of.ts';
import type { Wakeups } from '../../stores/wakeups.ts';
import type { DelayedMessage, Sqs } from '../client/sqs.ts';

/** The maximum number of messages per request. */
const maximumMessages = 10;
/** How long `schedule` waits for SQS, in milliseconds. */
const patience = 500;
/**
 * The unit of delays, which is also the minimum delay, in milliseconds. The due timer index lags behind the commits by
 * less than this delay.
 */
const second = 1_000;

export interface SqsWakeupsDependencies {
  readonly client: Sqs;
  readonly queueUrl: string;
  readonly clock: Clock;
  /**
   * The longest time until a scheduled run, in milliseconds; `schedule` ignores later times. Must be at most 15
   * minutes, the longest that SQS delays a message.
   */
  readonly within: number;
  readonly logFailure: (reason: string) => void;
}

/**
 * Wakes the clock with messages that a queue delivers after a whole number of seconds. A message covers all timers that
 * are due in the second before it arrives, so few messages are needed. A message that arrives within a second does not
 * cover a timer that starts now, because the due timer index may not contain the timer yet.
 */
export class SqsWakeups implements Wakeups {
  readonly #dependencies: SqsWakeupsDependencies;
  /** The arrival times of the messages that this process sent, in milliseconds since 1970. */
  #arrivals: readonly number[] = [];

  constructor(dependencies: SqsWakeupsDependencies) {
    this.#dependencies = dependencies;
  }

  async schedule(times: readonly number[]): Promise<void> {
    const { clock, within, logFailure } = this.#dependencies;
    const now = clock.now();
    this.#arrivals = this.#arrivals.filter((arrival) => arrival > now);
    const delays = new Set<number>();
    for (const time of times) {
      const isCovered = this.#arrivals.some(
        (arrival) => arrival >= Math.max(time, now + second) && arrival < time + second,
      );
      if (time <= now + within && !isCovered)
        delays.add(Math.max(1, Math.ceil((time - now) / second)));
    }
    if (delays.size === 0) return;
    const sent = this.#send([...delays], now).catch((error: unknown) =>
      logFailure(messageOf(error)),
    );
    if ((await Deadline.in(clock, patience).race(sent)) === 'late')
      logFailure(`SQS did not respond within ${patience} ms`);
  }

  async #send(delays: readonly number[], now: number): Promise<void> {
    const { client, queueUrl: QueueUrl, logFailure } = this.#dependencies;
    const arrivalOf = (delay: number) => now + delay * second;
    const requests = inChunks(delays, maximumMessages).map(async (some) => {
      const Entries = some.map(
        (delay): DelayedMessage => ({
          Id: String(delay),
          MessageBody: JSON.stringify({ at: arrivalOf(delay) }),
          DelaySeconds: delay,
        }),
      );
      const { Failed = [] } = await client.sendMessageBatch({ QueueUrl, Entries });
      const failed = new Set(Failed.map(({ Id }) => Number(Id)));
      const arrivals = some.filter((delay) => !failed.has(delay)).map(arrivalOf);
      this.#arrivals = [...this.#arrivals, ...arrivals];
      if (Failed[0]) logFailure(Failed[0].Message ?? 'SQS rejected a message');
    });
    await Promise.all(requests);
  }
}
