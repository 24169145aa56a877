import { Webhook } from 'standardwebhooks';
import type { Clock } from '../../../common/clock.ts';
import { messageOf } from '../../../common/message-of.ts';
import { type Backoff, backoffMs } from '../../backoff.ts';
import { ConditionVariable } from '../../condition-variable.ts';
import type { Random } from '../../random.ts';
import type { Outbox, PendingMessage } from './outbox.ts';
import type { Post } from './post.ts';

/** The maximum number of concurrent requests per webhook. Each request belongs to a different lane. */
export const maximumConcurrentRequests = 10;
/** The timeout of a request, in milliseconds. */
const responseTimeoutMs = 20_000;
/** How long `stop` waits for requests in flight, in milliseconds. */
const stopTimeoutMs = 1_000;
const retryBackoff: Backoff = { firstMs: 1_000, maxMs: 5 * 60_000 };
/** How long a message is retried before it is dropped, in milliseconds. */
const retryPeriodMs = 24 * 60 * 60_000;
/**
 * How long to wait before the next attempt if the outbox cannot be read or written, for example because the disk is
 * full, in milliseconds.
 */
const outboxRetryMs = 10_000;
/** The minimum interval between log lines about a failing webhook, in milliseconds. */
const logIntervalMs = 60_000;

export interface WebhookDeliveryOptions {
  readonly webhook: string;
  readonly secret: string;
  /** The `user-agent` of requests. */
  readonly userAgent: string;
  readonly outbox: Outbox;
  readonly post: Post;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: (line: string) => void;
}

/**
 * Delivers the outbox's messages to one webhook, signed according to the Standard Webhooks specification
 * (https://www.standardwebhooks.com). A failed message is retried with exponential backoff for 24 hours, and blocks
 * only its lane.
 */
export class WebhookDelivery {
  readonly #options: WebhookDeliveryOptions;
  readonly #signer: Webhook;
  /** The webhook's name in logs: the origin of its URL, without parts that may be secret. */
  readonly #name: string;
  readonly #wakeup = new ConditionVariable();
  readonly #stopped = new AbortController();
  readonly #cutOff = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #running: Promise<void>;
  #loggedAt = Number.NEGATIVE_INFINITY;
  /** When the outbox was last checked for due messages, in milliseconds since 1970. */
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(options: WebhookDeliveryOptions) {
    this.#options = options;
    this.#signer = new Webhook(options.secret);
    this.#name = new URL(options.webhook).origin;
    this.#running = this.#run();
  }

  /** Wakes the delivery because the outbox has new messages. */
  notify(): void {
    this.#wakeup.notify();
  }

  /** Starts no more requests, waits briefly for the requests in flight, and then aborts them. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#wakeup.notify();
    await this.#running;
    const ended = new AbortController();
    const all = Promise.all(this.#inFlight).then(() => ended.abort());
    await this.#options.clock.sleep(stopTimeoutMs, ended.signal);
    this.#cutOff.abort();
    await all;
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#options;
    while (!this.#stopped.signal.aborted) {
      try {
        await this.#startNext();
      } catch (error) {
        log(`cannot read the notifications for ${this.#name}; retrying: ${messageOf(error)}`);
        await clock.sleep(outboxRetryMs, this.#stopped.signal);
      }
    }
  }

  /** Starts the next request, or waits until a message may be due and a request may start. */
  async #startNext(): Promise<void> {
    const { outbox, webhook, clock } = this.#options;
    const now = clock.now();
    // If the clock was set back, the stored due times are too late.
    if (now < this.#checkedAt) outbox.makeDue(webhook);
    this.#checkedAt = now;
    const isFull = this.#inFlight.size >= maximumConcurrentRequests;
    const next = isFull ? undefined : outbox.takeNext(webhook, now);
    if (next) return this.#begin(next);
    const dueAt = isFull ? undefined : outbox.nextDue(webhook);
    if (dueAt === undefined) await this.#wakeup.wait();
    else await this.#wakeup.waitFor(dueAt - clock.now(), clock);
  }

  #begin(pending: PendingMessage): void {
    const delivery = this.#deliver(pending).finally(() => {
      this.#inFlight.delete(delivery);
      this.#wakeup.notify();
    });
    this.#inFlight.add(delivery);
  }

  async #deliver(pending: PendingMessage): Promise<void> {
    const { clock, log } = this.#options;
    const reason = await this.#attempt(pending);
    // The request was aborted, so its result is unknown. The message is resent after the next start.
    if (reason !== undefined && this.#cutOff.signal.aborted) return;
    // Repeat until the result is stored. Otherwise, the lane would stay blocked until the next start.
    for (;;) {
      try {
        return this.#store(pending, reason);
      } catch (error) {
        log(`cannot store the delivery result of ${pending.id}; retrying: ${messageOf(error)}`);
        if (this.#stopped.signal.aborted) return;
        await clock.sleep(outboxRetryMs, this.#stopped.signal);
      }
    }
  }

  /** Stores the result of a request. `reason` is the reason for a failure, or undefined on success. */
  #store(pending: PendingMessage, reason: string | undefined): void {
    const { outbox, clock, random, log } = this.#options;
    const now = clock.now();
    if (reason === undefined) outbox.settle(pending, now);
    else if (now - pending.putAt >= retryPeriodMs) {
      outbox.settle(pending, now);
      log(
        `the webhook ${this.#name} did not accept ${pending.id} within 24 hours; the notification is dropped: ${reason}`,
      );
    } else {
      const pause = backoffMs(pending.failures + 1, retryBackoff, random);
      outbox.retry(pending, now + Math.ceil(pause));
      this.#logFailure(reason, now);
    }
  }

  /** Posts a message once. Returns the reason for a failure, or undefined on success. */
  async #attempt({ id, body }: PendingMessage): Promise<string | undefined> {
    const { webhook, post, clock, userAgent } = this.#options;
    const now = new Date(clock.now());
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': this.#signer.sign(id, now, body),
    };
    const settled = new AbortController();
    const late = new AbortController();
    void clock
      .sleep(responseTimeoutMs, settled.signal)
      .then(() => late.abort(new Error(`no response within ${responseTimeoutMs / 1000} s`)));
    const signal = AbortSignal.any([late.signal, this.#cutOff.signal]);
    try {
      return await post(webhook, { headers, body }, signal);
    } finally {
      settled.abort();
    }
  }

  #logFailure(reason: string, now: number): void {
    if (now - this.#loggedAt < logIntervalMs) return;
    this.#loggedAt = now;
    this.#options.log(
      `the webhook ${this.#name} did not accept a notification; retrying: ${reason}`,
    );
  }
}
