import { secondsOfMonth } from '../../src/cost/dollars.ts';
import { prices } from '../../src/cost/prices.ts';

/**
 * The number of parallel long polls that an event source mapping sends to an idle queue, and the duration of each poll
 * in seconds.
 */
const [polls, secondsPerPoll] = [5, 20];
/**
 * The consumption of a message that wakes the clock. The requests are a tenth of the request that sends ten messages,
 * one request that receives the message, and one that deletes it. The resulting invocation queries the eight index
 * partitions of a stream with four shards. Three runs of the clock also read the timer's key, because each run looks
 * ahead three minutes. The duration is assumed, not measured.
 */
const message = { requests: 2.1, readUnits: 8 * 0.5 + 3 * 0.5, milliseconds: 30, megabytes: 512 };

/** The monthly cost of firing timers at their exact second, in US dollars. */
export interface TimerCost {
  readonly perMonth: number;
  readonly perMillion: number;
}

/**
 * Estimates the cost of firing the given number of timers per month, each at its exact second. Does not include the
 * cost of their events. Assumes that timers are due at random times; timers that are due in the same second share a
 * message.
 */
export function timerCost(timersPerMonth: number): TimerCost {
  const { sqs, lambda, dynamoDb } = prices;
  const messages = secondsOfMonth * (1 - Math.exp(-timersPerMonth / secondsOfMonth));
  const idleRequests = (secondsOfMonth / secondsPerPoll) * polls;
  const gigabyteSeconds = (message.milliseconds / 1_000) * (message.megabytes / 1_024);
  const perMessage =
    (message.requests * sqs.perMillionRequests + lambda.perMillionRequests) / 1e6 +
    gigabyteSeconds * lambda.perGigabyteSecond +
    (message.readUnits * dynamoDb.perMillionReadUnits) / 1e6;
  const perMonth = messages * perMessage + (idleRequests * sqs.perMillionRequests) / 1e6;
  return { perMonth, perMillion: (1e6 * perMonth) / timersPerMonth };
}
