/** The maximum number of examples of each kind. */
const maximumExamples = 3;
const maximumKinds = 40;

/** The number of values of one kind, with the first three as examples. */
export interface CountedExamples<Example> {
  readonly count: number;
  readonly examples: readonly Example[];
}

/**
 * Counts values by kind, with up to three examples of each kind. The number of kinds is limited, so memory use is
 * bounded.
 */
export class ExampleCounter<What, Example> {
  readonly #kinds = new Map<string, { what: What; count: number; examples: Example[] }>();
  readonly #others: (what: What) => What;

  /** @param others returns the kind that counts all values of new kinds once the maximum number of kinds is reached. */
  constructor(others: (what: What) => What) {
    this.#others = others;
  }

  add(what: What, example: Example): void {
    const kind = this.#kindOf(what);
    kind.count += 1;
    if (kind.examples.length < maximumExamples) kind.examples.push(example);
  }

  /** Adds values without examples to the kind that `others` returns. */
  addOthers(what: What, count: number): void {
    if (count > 0) this.#entry(this.#others(what)).count += count;
  }

  /** Returns all kinds, most frequent first. */
  list(): (What & CountedExamples<Example>)[] {
    return [...this.#kinds.values()]
      .toSorted((a, b) => b.count - a.count)
      .map(({ what, ...counted }) => ({ ...what, ...counted }));
  }

  #kindOf(what: What) {
    const isKnown = this.#kinds.has(JSON.stringify(what));
    return this.#entry(isKnown || this.#kinds.size < maximumKinds ? what : this.#others(what));
  }

  #entry(what: What) {
    const key = JSON.stringify(what);
    const kind = this.#kinds.get(key) ?? { what, count: 0, examples: [] };
    this.#kinds.set(key, kind);
    return kind;
  }
}
