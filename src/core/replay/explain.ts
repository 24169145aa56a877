import { isJsonObject, type Json } from '../json/json.ts';
import { type JsonPath, memberOf, valueAt } from '../json/json-pointer.ts';
import { previousIndexes } from './previous-indexes.ts';

/** A field of a state, or one that is not in it any more, with what made it so. */
export interface FieldExplanation<By> {
  readonly path: JsonPath;
  /** Undefined where it was removed. */
  readonly value: Json | undefined;
  /** Undefined where that lies further back than was looked. */
  readonly setBy: By | undefined;
  /** Where that is so, its path in the oldest state that was looked at; elements of arrays move. */
  readonly pathBefore: JsonPath | undefined;
}

/**
 * What made each field of a state what it is: the last change after which its value was another than
 * before, or after which it was there at all. Fields are values that hold no others: texts, numbers,
 * `{}` and `[]`. Elements of an array are followed by their values: see `previousIndexes`.
 *
 * It is told the states before that one, newest first, and works without the model's code.
 */
export interface Explanation<By> {
  /**
   * Looks one change further back.
   *
   * @param before the state before the change; undefined when it was the first.
   * @param by what made the change.
   */
  stepBack(before: Json | undefined, by: By): void;
  /** How many fields there are. */
  readonly size: number;
  /** Whether nothing is left to explain. */
  readonly isComplete: boolean;
  /** In the order of the state. */
  fields(): FieldExplanation<By>[];
  /** Where the part that is explained was in the oldest state that was looked at. */
  partBefore(): JsonPath;
}

/**
 * Explains a state.
 *
 * @param part only what is at this path; where nothing is there, what removed it.
 */
export function explain<By>(state: Json, part: JsonPath = []): Explanation<By> {
  const value = valueAt(state, part);
  return value === undefined
    ? new RemovalExplanation<By>(part)
    : new StateExplanation<By>(state, part, value);
}

class FieldTrace<By> {
  readonly path: JsonPath;
  readonly value: Json;
  setBy: By | undefined;

  constructor(path: JsonPath, value: Json) {
    this.path = path;
    this.value = value;
  }
}

/** What is not explained yet, by its place in the state that is looked at. */
type UnexplainedFields<By> = FieldTrace<By> | ReadonlyMap<string, UnexplainedFields<By>>;

class StateExplanation<By> implements Explanation<By> {
  readonly #fields: FieldTrace<By>[];
  /** The oldest state that was looked at. */
  #state: Json;
  #part: JsonPath;
  #open: UnexplainedFields<By> | undefined;

  constructor(state: Json, part: JsonPath, value: Json) {
    this.#state = state;
    this.#part = part;
    const open = unexplainedFields<By>(value, part);
    this.#fields = [...listUnexplained(open, part)].map(([field]) => field);
    this.#open = part.reduceRight<UnexplainedFields<By>>(
      (inner, name) => new Map([[name, inner]]),
      open,
    );
  }

  get size(): number {
    return this.#fields.length;
  }

  get isComplete(): boolean {
    return this.#open === undefined;
  }

  stepBack(before: Json | undefined, by: By): void {
    if (!this.#open) return;
    this.#open = explainChange(this.#open, this.#state, before, by);
    if (!this.#open || before === undefined) return;
    this.#state = before;
    // Down to the part there is one name on each level.
    const [[, path] = [undefined, []]] = listUnexplained(this.#open, []);
    this.#part = path.slice(0, this.#part.length);
  }

  fields(): FieldExplanation<By>[] {
    const before = new Map(this.#open && listUnexplained(this.#open, []));
    return this.#fields.map((field) => ({
      path: field.path,
      value: field.value,
      setBy: field.setBy,
      pathBefore: before.get(field),
    }));
  }

  partBefore(): JsonPath {
    return this.#part;
  }
}

class RemovalExplanation<By> implements Explanation<By> {
  readonly size = 1;
  readonly #part: JsonPath;
  #isWhole = false;
  #removedBy: By | undefined;

  constructor(part: JsonPath) {
    this.#part = part;
  }

  get isComplete(): boolean {
    return this.#isWhole;
  }

  stepBack(before: Json | undefined, by: By): void {
    if (this.#isWhole) return;
    if (valueAt(before, this.#part) !== undefined) this.#removedBy = by;
    this.#isWhole = before === undefined || this.#removedBy !== undefined;
  }

  /** None where it never was. */
  fields(): FieldExplanation<By>[] {
    const path = this.#part;
    if (this.#isWhole && this.#removedBy === undefined) return [];
    const pathBefore = this.#isWhole ? undefined : path;
    return [{ path, value: undefined, setBy: this.#removedBy, pathBefore }];
  }

  partBefore(): JsonPath {
    return this.#part;
  }
}

/** A value's members by their names, or elements by their places; undefined where it holds none. */
function membersOf(value: Json): [string, Json][] | undefined {
  if (!Array.isArray(value) && !isJsonObject(value)) return undefined;
  const members = Object.entries(value) as [string, Json][];
  return members.length > 0 ? members : undefined;
}

function unexplainedFields<By>(value: Json, path: JsonPath): UnexplainedFields<By> {
  const members = membersOf(value);
  if (!members) return new FieldTrace<By>(path, value);
  return new Map(
    members.map(([name, each]) => [name, unexplainedFields<By>(each, [...path, name])]),
  );
}

function* listUnexplained<By>(
  open: UnexplainedFields<By>,
  path: JsonPath,
): Generator<[FieldTrace<By>, JsonPath]> {
  if (open instanceof FieldTrace) yield [open, path];
  else for (const [name, inner] of open) yield* listUnexplained(inner, [...path, name]);
}

/** What is open still when a change is taken back, by its place before that; the rest is by the change. */
function explainChange<By>(
  open: UnexplainedFields<By>,
  after: Json,
  before: Json | undefined,
  by: By,
): UnexplainedFields<By> | undefined {
  if (open instanceof FieldTrace) {
    if (isSameField(after, before)) return open;
    open.setBy = by;
    return undefined;
  }
  const left = new Map<string, UnexplainedFields<By>>();
  const keep = (
    name: string,
    inner: UnexplainedFields<By>,
    value: Json,
    valueBefore: Json | undefined,
  ) => {
    const still = explainChange(inner, value, valueBefore, by);
    if (still) left.set(name, still);
  };
  if (Array.isArray(after)) {
    const elements = Array.isArray(before) ? (before as Json[]) : [];
    const places = previousIndexes(after as Json[], elements);
    for (const [name, inner] of open) {
      const place = places[Number(name)] ?? -1;
      keep(String(place), inner, (after as Json[])[Number(name)]!, elements[place]);
    }
  } else {
    const members = isJsonObject(before) ? before : undefined;
    for (const [name, inner] of open)
      keep(name, inner, memberOf(after, name)!, memberOf(members, name));
  }
  return left.size > 0 ? left : undefined;
}

/** Whether a field, which holds no other values, was the same before. */
function isSameField(after: Json, before: Json | undefined): boolean {
  if (typeof after !== 'object' || after === null) return after === before;
  return (
    typeof before === 'object' &&
    before !== null &&
    Array.isArray(after) === Array.isArray(before) &&
    membersOf(before) === undefined
  );
}
