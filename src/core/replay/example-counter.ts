/** So many examples are kept of each kind. */
const maximumExamples = 3;
/** So many kinds are told apart by default. */
const maximumKinds = 40;

/** How often something was there, and some examples of it. */
export interface CountedExamples<Example> {
  readonly count: number;
  readonly examples: readonly Example[];
}

/** Counts things by kind, with a few examples of each, in little memory whatever comes. */
export class ExampleCounter<What, Example> {
  readonly #kinds = new Map<string, { what: What; count: number; examples: Example[] }>();
  readonly #others: (what: What) => What;

  /** @param others the kind that those count as which come when there are too many kinds already. */
  constructor(others: (what: What) => What) {
    this.#others = others;
  }

  add(what: What, example: Example): void {
    const kind = this.#kindOf(what);
    kind.count += 1;
    if (kind.examples.length < maximumExamples) kind.examples.push(example);
  }

  /** Counts so many more, of which nothing is known but that they are of other kinds. */
  addOthers(what: What, count: number): void {
    if (count > 0) this.#entry(this.#others(what)).count += count;
  }

  /** The most frequent first. */
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
