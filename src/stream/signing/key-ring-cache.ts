import type { Clock } from '../../common/clock.ts';
import { messageOf } from '../../common/message-of.ts';
import { MilepostError } from '../../core/errors.ts';
import type { MacKey } from '../../core/event/event-mac.ts';
import { type KeyRing, readKeyRing, signingKey } from '../../core/event/key-ring.ts';

/** How long a ring is used without reading it again, in milliseconds: far less than `leadTime`. */
export const keyRingTtl = 5 * 60_000;
/** How long one read may take, in milliseconds, so that no function runs out of time over it. */
const readTimeout = 2_000;
/** The shortest time between two reads while there is a ring to go on with, in milliseconds. */
export const minimumReadInterval = 30_000;

/** What reading the key ring needs around it. */
export interface KeyRingDependencies {
  /** Reads the value of the secret, as it is now. */
  readonly read: () => Promise<string>;
  readonly clock: Clock;
  /** Told why a ring could not be read again, while an earlier one serves. */
  readonly onStale?: (error: unknown) => void;
}

/**
 * Keeps the key ring of a tracker for a few minutes. It is read when a key is first needed. A ring that
 * cannot be read again goes on serving: its keys stay valid, and a later key does not sign before
 * everybody has had an hour to read it.
 */
export class KeyRingCache {
  readonly #dependencies: KeyRingDependencies;
  #ring: KeyRing | undefined;
  /** When the ring and the latest attempt were asked for, in milliseconds since 1970. */
  #readAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<KeyRing> | undefined;

  constructor(dependencies: KeyRingDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The key that signs now.
   *
   * @throws MilepostError `busy` where no ring can be read now, `bad-secret` where there is none.
   */
  async signingKey(): Promise<MacKey> {
    return signingKey(await this.#current(), this.#dependencies.clock.now());
  }

  /**
   * The key of that id, or undefined: nothing was ever signed with it. Records that name unknown keys
   * have the ring read again at most twice a minute, however many come.
   *
   * @throws MilepostError as `signingKey` does, and `busy` where the key may be in a ring that cannot be read.
   */
  async verificationKey(id: string): Promise<MacKey | undefined> {
    const known = (await this.#current()).get(id);
    if (known) return known;
    if (this.#mayTry) await this.#read().catch(() => undefined);
    const found = this.#ring?.get(id);
    if (found || this.#isFresh) return found;
    throw new MilepostError('busy', `the signing keys could not be read again to find key ${id}`);
  }

  async #current(): Promise<KeyRing> {
    const ring = this.#ring;
    if (!ring) return this.#read();
    if (this.#isFresh || !this.#mayTry) return ring;
    return this.#read().catch(() => ring);
  }

  get #isFresh(): boolean {
    return this.#dependencies.clock.now() - this.#readAt < keyRingTtl;
  }

  get #mayTry(): boolean {
    return this.#dependencies.clock.now() - this.#triedAt >= minimumReadInterval;
  }

  /** Reads the ring, once for all that ask meanwhile. */
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
    const answered = new AbortController();
    const tooLate = clock.sleep(readTimeout, answered.signal).then((): never => {
      throw new Error(`no answer within ${readTimeout} ms`);
    });
    try {
      const text = await Promise.race([read(), tooLate]);
      this.#ring = readKeyRing(text);
      this.#readAt = askedAt;
      return this.#ring;
    } catch (error) {
      if (this.#ring) onStale?.(error);
      if (error instanceof MilepostError && error.code === 'bad-secret') throw error;
      const reason = `the signing keys cannot be read: ${messageOf(error)}`;
      throw new MilepostError('busy', reason, { cause: error });
    } finally {
      tooLate.catch(() => undefined);
      answered.abort();
    }
  }
}
