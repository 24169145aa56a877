/**
 * A map that keeps its most recently set entries: at least those of the given total size, and at most twice that size
 * plus one entry.
 *
 * Instead of deleting its oldest entry whenever an entry is added, the map discards a whole generation of entries at
 * once. Deleting the oldest entry of a `Map` is slow in V8: a deleted entry stays in the table until the table is
 * rebuilt, so a search for the oldest entry passes thousands of deleted entries.
 */
export class RecentMap<Value> {
  readonly #minimumSize: number;
  readonly #sizeOf: (value: Value) => number;
  #younger = new Map<string, Value>();
  #older = new Map<string, Value>();
  #youngerSize = 0;

  /**
   * @param minimumSize the total size of the most recent entries, which are always kept.
   * @param sizeOf returns the size of a value. Default: 1, so `minimumSize` is a number of entries.
   */
  constructor(minimumSize: number, sizeOf: (value: Value) => number = () => 1) {
    this.#minimumSize = minimumSize;
    this.#sizeOf = sizeOf;
  }

  get(name: string): Value | undefined {
    return this.#younger.get(name) ?? this.#older.get(name);
  }

  set(name: string, value: Value): void {
    const replaced = this.#younger.get(name);
    if (replaced !== undefined) this.#youngerSize -= this.#sizeOf(replaced);
    this.#younger.set(name, value);
    this.#youngerSize += this.#sizeOf(value);
    if (this.#youngerSize < this.#minimumSize) return;
    this.#older = this.#younger;
    this.#younger = new Map();
    this.#youngerSize = 0;
  }

  delete(name: string): void {
    const deleted = this.#younger.get(name);
    if (deleted !== undefined) this.#youngerSize -= this.#sizeOf(deleted);
    this.#younger.delete(name);
    this.#older.delete(name);
  }
}
