import { type Clock, systemClock, timeLeft } from '../../../src/common/clock.ts';
import { clients } from '../clients.ts';

/**
 * How long a key is cached, in milliseconds. If an operator replaces a leaked key, functions can continue to use the
 * leaked key for this long, or longer while the secret cannot be read.
 */
const keyTtl = 5 * 60_000;

/**
 * Returns a function that reads the key that signs customer links, and caches it.
 *
 * @param secret the ARN of the secret that contains the key.
 */
export function linkKeyReader(secret: string): () => Promise<string> {
  const secrets = clients.secretsManager();
  return cachedLinkKey(async () => (await secrets.current(secret)).value, systemClock);
}

/**
 * Returns a function that caches the key for five minutes. If the key cannot be read again, the function returns the
 * cached key and tries again after another five minutes, so customer pages remain available.
 */
export function cachedLinkKey(read: () => Promise<string>, clock: Clock): () => Promise<string> {
  let known: string | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<string> | undefined;
  const readAgain = async () => {
    const askedAt = clock.now();
    try {
      known = await read();
    } catch (error) {
      if (known === undefined) throw error;
    }
    readAt = askedAt;
    return known;
  };
  return async () => {
    if (known !== undefined && timeLeft(clock, readAt, keyTtl) > 0) return known;
    reading ??= readAgain().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}
