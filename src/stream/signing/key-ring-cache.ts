import { type Clock, timeLeft } from '../../common/clock.ts';
import { Deadline } from '../../common/deadline.ts';
import { messageOf } from '../../common/message-of.ts';
import { MilepostError } from '../../core/errors.ts';
import type { MacKey } from '../../core/event/event-mac.ts';
import { type KeyRing, readKeyRing, signingKey } from '../../core/event/key-ring.ts';

/** How long a ring is cached, in milliseconds. This duration must be much shorter than `leadTime`. */
export const keyRingTtl = 5 * 60_000;
/**
 * How long to wait for a read, in milliseconds. The wait is short so that a slow read does not make a function run out
 * of time.
 */
const readTimeout = 2_000;
/** The minimum time between two reads while a ring is cached, in milliseconds. */
export const minimumReadInterval = 30_000;

export interface KeyRingDependencies {
  /** Reads the current value of the secret. */
  readonly read: () => Promise<string>;
  readonly clock: Clock;
  /** Called with the error when the ring cannot be refreshed and the stale ring remains in use. */
  readonly onStale?: (error: unknown) => void;
}

/**
 * Caches a tracker's key ring for five minutes. The ring is read when a key is first needed. If a refresh fails, the
 * stale ring remains in use: its keys remain valid, and a new key does not sign until an hour after it was added.
 */
export class KeyRingCache {
  readonly #dependencies: KeyRingDependencies;
  #ring: KeyRing | undefined;
  /** When the ring was read and when the latest attempt started, in milliseconds since 1970. */
  #readAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<KeyRing> | undefined;

  constructor(dependencies: KeyRingDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the key that currently signs events.
   *
   * @throws MilepostError `busy` if no ring can be read now, `bad-secret` if the secret is not a ring.
   */
  async signingKey(): Promise<MacKey> {
    return signingKey(await this.#current(), this.#dependencies.clock.now());
  }

  /**
   * Returns the key with the given id; undefined if no record can have been signed with such a key. Unknown ids cause
   * at most two reads per minute, regardless of how many records contain them.
   *
   * @throws the errors of `signingKey`, and MilepostError `busy` if the key may be in a newer ring that cannot be read.
   */
  async verificationKey(id: string): Promise<MacKey | undefined> {
    const known = (await this.#current()).get(id);
    if (known) return known;
    if (this.#mayTry) await this.#read().catch(() => undefined);
    const found = this.#ring?.get(id);
    if (found || this.#isFresh) return found;
    throw new MilepostError(
      'busy',
      `the signing keys could not be refreshed to find the key ${id}; try again later`,
    );
  }

  async #current(): Promise<KeyRing> {
    const ring = this.#ring;
    if (!ring) return this.#read();
    if (this.#isFresh || !this.#mayTry) return ring;
    return this.#read().catch(() => ring);
  }

  get #isFresh(): boolean {
    return timeLeft(this.#dependencies.clock, this.#readAt, keyRingTtl) > 0;
  }

  get #mayTry(): boolean {
    return timeLeft(this.#dependencies.clock, this.#triedAt, minimumReadInterval) === 0;
  }

  /** Reads the ring. Concurrent callers share one read. */
  #read(): Promise<KeyRing> {
    this.#reading ??= this.#readInTime().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readInTime(): Promise<KeyRing> {
    const { read, clock, onStale } = this.#dependencies;
    const askedAt = clock.now();
    this.#triedAt = askedAt;
    try {
      const text = await Deadline.in(clock, readTimeout).race(read());
      if (text === 'late') throw new Error(`no response within ${readTimeout} ms`);
      this.#ring = readKeyRing(text);
      this.#readAt = askedAt;
      return this.#ring;
    } catch (error) {
      if (this.#ring) onStale?.(error);
      if (error instanceof MilepostError && error.code === 'bad-secret') throw error;
      const reason = `the signing keys cannot be read: ${messageOf(error)}`;
      throw new MilepostError('busy', reason, { cause: error });
    }
  }
}
