import { findMac, verifyMac, withMac } from '../../core/event/event-mac.ts';
import type { OutgoingRecord } from '../event-stream.ts';
import type { KeyRingCache } from './key-ring-cache.ts';

/** Adds a MAC to each of Milepost's own events and detects forgeries. */
export class EventMacs {
  readonly #keys: Pick<KeyRingCache, 'signingKey' | 'verificationKey'>;

  constructor(keys: Pick<KeyRingCache, 'signingKey' | 'verificationKey'>) {
    this.#keys = keys;
  }

  /**
   * Appends a MAC to each record.
   *
   * @throws MilepostError `busy` or `bad-secret` if the keys cannot be read.
   */
  async sign(records: readonly OutgoingRecord[]): Promise<OutgoingRecord[]> {
    if (records.length === 0) return [];
    const key = await this.#keys.signingKey();
    return records.map((record) => ({ ...record, data: withMac(record.data, key) }));
  }

  /**
   * Returns how a record fails to prove that it comes from Milepost; undefined if its MAC is valid.
   *
   * @throws MilepostError `busy` or `bad-secret` if the keys cannot be read.
   */
  async findFlaw(record: Uint8Array): Promise<string | undefined> {
    const found = findMac(record);
    if (!found) return 'the event has no MAC';
    const key = await this.#keys.verificationKey(found.keyId);
    if (!key) return `the MAC names the key ${found.keyId}, which the tracker does not have`;
    return verifyMac(key, found) ? undefined : 'the MAC is invalid';
  }
}
