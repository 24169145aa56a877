import { type Item, itemBytes } from './item-size.ts';
import { indexEntry, type TableShape } from './table-shape.ts';
import { indexWriteUnits, readUnits, writeUnits } from './units.ts';

/** What was consumed, under a name each. */
export class Meter {
  /** Write units, by what they were billed for: a table's items by kind, or an index. */
  readonly writeUnits = new Tally();
  /** Read units, by operation. */
  readonly readUnits = new Tally();
  /** Requests, by service and operation. */
  readonly requests = new Tally();
  /** Bytes of the bodies of requests and answers, by service and operation. */
  readonly bytes = new Tally();
  /** What is kept in tables and indexes, in bytes as storage is billed. */
  readonly stored = new Tally();
  /** Other things that are billed one by one: events put to a bus. */
  readonly counts = new Tally();

  /** Counts from zero again. */
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

  /** A write of one item that was done: `before` and `after` it, either of which may be missing. */
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

  /** A write of one item whose condition did not hold. */
  refused(item: Item | undefined): void {
    this.writeUnits.add('conditions that failed', writeUnits(item, undefined));
  }

  /** A read, by the bytes of all items that count together. */
  read(operation: string, bytes: number, consistent: boolean): void {
    this.readUnits.add(operation, readUnits(bytes, { consistent }));
  }

  /** A request, and what it and its answer say. */
  request(name: string, ...bodies: readonly unknown[]): void {
    this.requests.add(name, 1);
    for (const body of bodies)
      this.bytes.add(name, typeof body === 'number' ? body : jsonBytes(body));
  }
}

/** Sums under names. */
class Tally {
  readonly #sums = new Map<string, number>();

  add(name: string, amount: number): void {
    this.#sums.set(name, (this.#sums.get(name) ?? 0) + amount);
  }

  clear(): void {
    this.#sums.clear();
  }

  /** The sum of what is under names that start so; of everything if not given. */
  total(prefix = ''): number {
    let total = 0;
    for (const [name, sum] of this.#sums) if (name.startsWith(prefix)) total += sum;
    return total;
  }

  /** Each sum, divided. */
  per(divisor: number): Record<string, number> {
    return Object.fromEntries([...this.#sums].map(([name, sum]) => [name, sum / divisor]));
  }
}

/** What kind of item of an item collection it is: what its sort key starts with. */
function kindOf({ key: [, sort = ''] }: TableShape, item: Item | undefined): string {
  return item?.[sort]?.S?.split('#')[0] ?? 'item';
}

/**
 * With the 100 bytes that storage counts for each item, in a table or in an index.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
const stored = (item: Item | undefined) => (item ? itemBytes(item) + 100 : 0);

/** The length of the JSON that goes over the wire, in which bytes are base64. */
export function jsonBytes(value: unknown): number {
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, plain: unknown) {
    const raw = this[key];
    return raw instanceof Uint8Array ? Buffer.from(raw).toString('base64') : plain;
  });
  return text === undefined ? 0 : Buffer.byteLength(text);
}
