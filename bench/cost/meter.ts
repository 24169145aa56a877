import { type Item, itemBytes } from './item-size.ts';
import { indexEntry, type TableShape } from './table-shape.ts';
import { indexWriteUnits, readUnits, writeUnits } from './units.ts';

/** Counts consumed resources by name. */
export class Meter {
  /** Write units by the billed item kind or index. */
  readonly writeUnits = new Tally();
  /** Read units by operation. */
  readonly readUnits = new Tally();
  /** Requests by service and operation. */
  readonly requests = new Tally();
  /** Bytes of request and response bodies by service and operation. */
  readonly bytes = new Tally();
  /** Data stored in tables and indexes, in billed bytes. */
  readonly stored = new Tally();
  /** Other items billed individually, such as events on a bus. */
  readonly counts = new Tally();

  /** Resets all counts. */
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

  /** Records a successful write of one item. `before` or `after` may be undefined. */
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

  /** Records a write whose condition failed. */
  refused(item: Item | undefined): void {
    this.writeUnits.add('conditions that failed', writeUnits(item, undefined));
  }

  /** Records a read with the total size of its items. */
  read(operation: string, bytes: number, consistent: boolean): void {
    this.readUnits.add(operation, readUnits(bytes, { consistent }));
  }

  /** Records a request with its body and its response body. */
  request(name: string, ...bodies: readonly unknown[]): void {
    this.requests.add(name, 1);
    for (const body of bodies)
      this.bytes.add(name, typeof body === 'number' ? body : jsonBytes(body));
  }
}

/** Sums by name. */
class Tally {
  readonly #sums = new Map<string, number>();

  add(name: string, amount: number): void {
    this.#sums.set(name, (this.#sums.get(name) ?? 0) + amount);
  }

  clear(): void {
    this.#sums.clear();
  }

  /** The sum of all names with the prefix. Default: all names. */
  total(prefix = ''): number {
    let total = 0;
    for (const [name, sum] of this.#sums) if (name.startsWith(prefix)) total += sum;
    return total;
  }

  /** Each sum divided by the divisor. */
  per(divisor: number): Record<string, number> {
    return Object.fromEntries([...this.#sums].map(([name, sum]) => [name, sum / divisor]));
  }
}

/** The kind of an item: the prefix of its sort key. */
function kindOf({ key: [, sort = ''] }: TableShape, item: Item | undefined): string {
  return item?.[sort]?.S?.split('#')[0] ?? 'item';
}

/**
 * The stored size of an item, including the 100 bytes that storage bills per item in a table or an index.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
const stored = (item: Item | undefined) => (item ? itemBytes(item) + 100 : 0);

/** The length of a value's JSON on the wire, where bytes are Base64. */
export function jsonBytes(value: unknown): number {
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, plain: unknown) {
    const raw = this[key];
    return raw instanceof Uint8Array ? Buffer.from(raw).toString('base64') : plain;
  });
  return text === undefined ? 0 : Buffer.byteLength(text);
}
