import { type Clock, timeLeft } from '../../common/clock.ts';
import { RecentMap } from '../../common/recent-map.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import type { DataKey } from '../../core/personal-data/sealed.ts';
import { toIso } from '../../core/time/timestamp.ts';
import type { DataKeys } from '../../stores/data-keys.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import type { EncryptionContext, Kms } from '../client/kms.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import { partitionOf } from '../instances/instance-keys.ts';

/**
 * How long a process can use a key after it starts to read the key, in milliseconds. Other processes can use a
 * destroyed key for up to this long after its destruction.
 */
const cacheTtl = 60_000;
/** The minimum number of keys that the cache can hold. The maximum is twice this number. */
const cachedKeys = 1_000;

/** The table that stores the data keys, and the KMS key that encrypts the data keys. */
export interface KmsDataKeysOptions {
  readonly database: DynamoDb;
  /**
   * A table with the partition key `pk`. It must not have backups because a destroyed key must not be
   * restorable.
   */
  readonly table: string;
  readonly kms: Kms;
  /** The ARN of the KMS key that encrypts the data keys. */
  readonly keyArn: string;
  readonly clock: Clock;
}

/**
 * Stores instances' data keys in a separate table, encrypted by KMS (envelope encryption). A marker replaces a
 * destroyed key and prevents the creation of a new key for that instance.
 *
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/kms-cryptography.html#enveloping
 */
export class KmsDataKeys implements DataKeys {
  readonly #options: KmsDataKeysOptions;
  readonly #kept = new RecentMap<{ key: DataKey; readAt: number }>(cachedKeys);
  /** The reads in progress, by partition key. */
  readonly #reading = new Map<string, Promise<DataKey | undefined>>();
  /**
   * The number of keys that this process destroyed. A read that began before the latest destruction must not be cached.
   */
  #destroyed = 0;

  constructor(options: KmsDataKeysOptions) {
    this.#options = options;
  }

  async getOrCreate(instance: InstanceKey): Promise<DataKey> {
    return (await this.get(instance)) ?? this.#make(instance);
  }

  /**
   * Returns an instance's key. Concurrent callers share one read: a queue can contain hundreds of sealed events, and
   * KMS limits the requests from a whole account.
   */
  async get(instance: InstanceKey): Promise<DataKey | undefined> {
    const name = partitionOf(instance);
    const kept = this.#kept.get(name);
    if (kept && timeLeft(this.#options.clock, kept.readAt, cacheTtl) > 0) return kept.key;
    const known = this.#reading.get(name);
    if (known) return known;
    const reading = this.#read(instance).finally(() => {
      if (this.#reading.get(name) === reading) this.#reading.delete(name);
    });
    this.#reading.set(name, reading);
    return reading;
  }

  async #read(instance: InstanceKey): Promise<DataKey | undefined> {
    const { kms, keyArn, clock } = this.#options;
    const before = this.#destroyed;
    const readAt = clock.now();
    const item = await this.#item(instance);
    if (!item) return undefined;
    const encrypted = item.encrypted?.B;
    const key = encrypted
      ? await kms.decrypt(keyArn, encrypted, contextOf(instance))
      : ('forgotten' as const);
    // Lambda can freeze the process during the read, and the key can be destroyed in the meantime.
    if (timeLeft(clock, readAt, cacheTtl) <= 0) return this.#read(instance);
    return before === this.#destroyed ? this.#keep(instance, key, readAt) : key;
  }

  async isDestroyed(instance: InstanceKey): Promise<boolean> {
    return (await this.#item(instance))?.forgottenAt !== undefined;
  }

  async #item(instance: InstanceKey): Promise<Item | undefined> {
    const { database, table } = this.#options;
    const Key = keyOf(instance);
    return (await database.getItem({ TableName: table, Key, ConsistentRead: true })).Item;
  }

  async destroy(instance: InstanceKey): Promise<void> {
    const { database, table, clock } = this.#options;
    try {
      await tryConditionalWrite(() =>
        database.putItem({
          TableName: table,
          Item: { ...keyOf(instance), forgottenAt: { S: toIso(clock.now()) } },
          // If the key is already destroyed, the time of the first request is kept.
          ConditionExpression: 'attribute_not_exists(forgottenAt)',
        }),
      );
    } finally {
      // Even if the request fails, the key may be destroyed.
      this.#destroyed++;
      this.#kept.delete(partitionOf(instance));
      this.#reading.delete(partitionOf(instance));
    }
  }

  async #make(instance: InstanceKey): Promise<DataKey> {
    const { database, table, kms, keyArn, clock } = this.#options;
    const { plain, encrypted } = await kms.generateDataKey(keyArn, contextOf(instance));
    const writtenAt = clock.now();
    const isFirst = await tryConditionalWrite(() =>
      database.putItem({
        TableName: table,
        Item: { ...keyOf(instance), encrypted: { B: encrypted } },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    );
    // Lambda can freeze the process during the write, and another process can destroy the key in the meantime.
    if (isFirst && timeLeft(clock, writtenAt, cacheTtl) > 0)
      return this.#keep(instance, plain, writtenAt);
    // A read that is in progress may have started before the other process wrote the key.
    const theirs = await this.#read(instance);
    if (theirs) return theirs;
    throw new Error(
      'the data key that another process created for the instance no longer exists; try again later',
    );
  }

  #keep(instance: InstanceKey, key: DataKey, readAt: number): DataKey {
    this.#kept.set(partitionOf(instance), { key, readAt });
    return key;
  }
}

const keyOf = (instance: InstanceKey): Item => ({ pk: { S: partitionOf(instance) } });

const contextOf = ({ model, transaction }: InstanceKey): EncryptionContext => ({
  model,
  transaction,
});
