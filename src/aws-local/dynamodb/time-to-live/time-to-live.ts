import db, { type Item, type Store, type Table } from 'dynalite/db/index.js';
import type { Clock } from '../../../common/clock.ts';
import { findTable } from '../find-table.ts';
import { onItemChange } from '../item-changes.ts';
import { expiryOf, isExpired, isTooOld } from './expiry.ts';

/** The expiry of a table's items. */
interface TableExpiry {
  readonly attribute: string;
  /** A time before which no item expires, in seconds since 1970. */
  earliest: number;
}

const prefix = 'time-to-live~';
const end = '\u00ff';

export interface TimeToLiveDependencies {
  readonly clock: Pick<Clock, 'now'>;
  /** Receives each expired item before the item is deleted. */
  readonly onExpiry: (item: Item) => void;
}

/** Deletes the expired items of a store. */
export class TimeToLive {
  readonly #store: Store;
  readonly #dependencies: TimeToLiveDependencies;
  readonly #tables = new Map<string, TableExpiry>();

  /** Follows changes to items from now on. Call `load` before the first request. */
  constructor(store: Store, dependencies: TimeToLiveDependencies) {
    this.#store = store;
    this.#dependencies = dependencies;
    onItemChange(store, ({ TableName }, _, after) => {
      const expiry = this.#tables.get(TableName);
      if (expiry && after) note(expiry, after, this.#now());
      return [];
    });
    const { tableDb } = store;
    const { del } = tableDb;
    tableDb.del = (name, done) => {
      if (!this.#tables.delete(name)) return del(name, done);
      const operations = [`table~${name}`, prefix + name].map((key) => ({
        type: 'del' as const,
        key,
      }));
      // The batch bypasses the cache of tables (see `cacheTables`), so `del` deletes the description again to remove it
      // from the cache.
      store.db.batch(operations, (error) => (error ? done(error) : del(name, done)));
    };
  }

  /** Reads the settings from the database, which must be open. */
  async load(): Promise<void> {
    const all = { gte: prefix, lt: prefix + end };
    for await (const [key, value] of this.#store.db.iterator(all)) {
      const { attribute } = value as { attribute: string };
      this.#tables.set(key.slice(prefix.length), { attribute, earliest: 0 });
    }
  }

  /** Returns the attribute that contains the expiry of a table's items, or undefined if the items do not expire. */
  attributeOf(table: string): string | undefined {
    return this.#tables.get(table)?.attribute;
  }

  /**
   * Sets the attribute that contains the expiry of a table's items. If the attribute is undefined, the items no longer
   * expire.
   */
  async set(table: string, attribute: string | undefined): Promise<void> {
    const key = prefix + table;
    await new Promise<void>((resolve, reject) => {
      this.#store.db.batch(
        [
          attribute === undefined
            ? { type: 'del', key }
            : { type: 'put', key, value: { attribute } },
        ],
        (error) => (error ? reject(error) : resolve()),
      );
    });
    if (attribute === undefined) this.#tables.delete(table);
    else this.#tables.set(table, { attribute, earliest: 0 });
  }

  /** Deletes expired items, and returns how many were found. Skips a table if none of its items can have expired. */
  async deleteExpired(): Promise<number> {
    let deleted = 0;
    for (const [name, expiry] of this.#tables) {
      if (expiry.earliest > this.#now()) continue;
      // Reset the time. The scan, and writes during the scan, then lower it to the earliest expiry that they find.
      expiry.earliest = Infinity;
      const table = await findTable(this.#store, name);
      const items = { gte: `item-${name}~`, lt: `item-${name}~${end}` };
      for await (const [, value] of this.#store.db.iterator(items)) {
        const item = value as Item;
        if (!isExpired(item, expiry.attribute, this.#now())) {
          note(expiry, item, this.#now());
          continue;
        }
        await this.#delete(table, item, expiry);
        deleted += 1;
      }
    }
    return deleted;
  }

  /** Deletes an item if it is still expired. A write may have changed the item since the scan read it. */
  #delete(table: Table, { ...keys }: Item, { attribute }: TableExpiry): Promise<void> {
    const itemDb = this.#store.getItemDb(table.TableName);
    const key = db.createKey(keys, table);
    return new Promise((resolve, reject) => {
      itemDb.lock(key, (release) => {
        const done = release((error) => (error ? reject(error) : resolve()));
        itemDb.get(key, (_, item) => {
          if (!item || !isExpired(item, attribute, this.#now())) return done();
          this.#dependencies.onExpiry(item);
          db.updateIndexes(this.#store, table, item, null, (error) =>
            error ? done(error) : itemDb.del(key, done),
          );
        });
      });
    });
  }

  #now(): number {
    return Math.floor(this.#dependencies.clock.now() / 1_000);
  }
}

function note(expiry: TableExpiry, item: Item, now: number): void {
  const at = expiryOf(item, expiry.attribute);
  // An item that expired too long ago is never deleted, so it must not cause scans.
  if (at !== undefined && !isTooOld(at, now)) expiry.earliest = Math.min(expiry.earliest, at);
}
