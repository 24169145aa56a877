import { type Item, itemBytes } from '../../test/support/item-size.ts';
import { indexEntry, type TableShape } from './table-shape.ts';
import { indexWriteUnits, readUnits, writeUnits } from './units.ts';

/** Counts the resources that requests consume: capacity units, requests, bytes, storage, and other billed items. */
export class Meter {
  /** Write units by item kind or index name. */
  readonly writeUnits = new Tally();
  /** Read units by operation. */
  readonly readUnits = new Tally();
  /** Requests by service and operation. */
  readonly requests = new Tally();
  /** Bytes of request and response bodies by service and operation. */
  readonly bytes = new Tally();
  /** Data stored in tables and indexes, in billed bytes. */
  readonly stored = new Tally();
  /** Other billed items, such as events on an event bus, by name. */
  readonly counts = new Tally();

  reset(): void {
    for (const tally of [
      this.writeUnits,
      this.readUnits,
      this.requests,
      this.bytes,
      this.stored,
      this.counts,
    ])
      tally.clear();
  }

  /**
   * Records a successful write of one item. `before` is undefined if the write created the item, `after` if it deleted
   * the item.
   */
  wrote(table: TableShape, before: Item | undefined, after: Item | undefined): void {
    this.writeUnits.add(kindOf(table, after ?? before), writeUnits(before, after));
    this.stored.add('table', stored(after) - stored(before));
    for (const index of table.indexes) {
      const units = indexWriteUnits(index, before, after);
      if (units === 0) continue;
      this.writeUnits.add(`index ${index.name}`, units);
      const entries = [after, before].map((item) => item && indexEntry(index, item));
      this.stored.add('indexes', stored(entries[0]) - stored(entries[1]));
    }
  }

  /** Records a write whose condition failed. `item` is the existing item, or undefined if there is none. */
  refused(item: Item | undefined): void {
    this.writeUnits.add('conditions that failed', writeUnits(item, undefined));
  }

  /** Records a read operation with the total size of the evaluated items. */
  read(operation: string, bytes: number, consistent: boolean): void {
    this.readUnits.add(operation, readUnits(bytes, { consistent }));
  }

  /** Records a request with the bodies of the request and the response. */
  request(name: string, ...bodies: readonly unknown[]): void {
    this.requests.add(name, 1);
    for (const body of bodies)
      this.bytes.add(name, typeof body === 'number' ? body : jsonBytes(body));
  }
}

/** Sums of quantities, by name. */
class Tally {
  readonly #sums = new Map<string, number>();

  add(name: string, amount: number): void {
    this.#sums.set(name, (this.#sums.get(name) ?? 0) + amount);
  }

  clear(): void {
    this.#sums.clear();
  }

  /** Returns the total of all sums whose name has the prefix. Without a prefix, returns the total of all sums. */
  total(prefix = ''): number {
    let total = 0;
    for (const [name, sum] of this.#sums) if (name.startsWith(prefix)) total += sum;
    return total;
  }

  /** Returns each sum divided by `divisor`, which is usually the number of events. */
  per(divisor: number): Record<string, number> {
    return Object.fromEntries([...this.#sums].map(([name, sum]) => [name, sum / divisor]));
  }
}

/** Returns the kind of an item, which is the prefix of its sort key. */
function kindOf({ key: [, sort = ''] }: TableShape, item: Item | undefined): string {
  return item?.[sort]?.S?.split('#')[0] ?? 'item';
}

/**
 * Returns the size that DynamoDB charges for as storage: the item's size plus 100 bytes per item of a table or an
 * index.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
const stored = (item: Item | undefined) => (item ? itemBytes(item) + 100 : 0);

/** Returns the length of a value's JSON in a request or response, in which byte arrays are Base64-encoded. */
export function jsonBytes(value: unknown): number {
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, plain: unknown) {
    const raw = this[key];
    return raw instanceof Uint8Array ? Buffer.from(raw).toString('base64') : plain;
  });
  return text === undefined ? 0 : Buffer.byteLength(text);
}
