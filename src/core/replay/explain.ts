import { isJsonObject, type Json } from '../json/json.ts';
import { type JsonPath, memberOf, valueAt } from '../json/json-pointer.ts';
import { placesBefore } from './same-element.ts';

/** A field of a state, or one that is not in it any more, with what made it so. */
export interface Field<By> {
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
 * `{}` and `[]`. Elements of an array are followed by their values: see `placesBefore`.
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
  fields(): Field<By>[];
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

class Known<By> {
  readonly path: JsonPath;
  readonly value: Json;
  setBy: By | undefined;

  constructor(path: JsonPath, value: Json) {
    this.path = path;
    this.value = value;
  }
}

/** What is not explained yet, by its place in the state that is looked at. */
type Open<By> = Known<By> | ReadonlyMap<string, Open<By>>;

class StateExplanation<By> implements Explanation<By> {
  readonly #fields: Known<By>[];
  /** The oldest state that was looked at. */
  #state: Json;
  #part: JsonPath;
  #open: Open<By> | undefined;

  constructor(state: Json, part: JsonPath, value: Json) {
    this.#state = state;
    this.#part = part;
    const open = allOpen<By>(value, part);
    this.#fields = [...openFields(open, part)].map(([field]) => field);
    this.#open = part.reduceRight<Open<By>>((inner, name) => new Map([[name, inner]]), open);
  }

  get size(): number {
    return this.#fields.length;
  }

  get isComplete(): boolean {
    return this.#open === undefined;
  }

  stepBack(before: Json | undefined, by: By): void {
    if (!this.#open) return;
    this.#open = stillOpen(this.#open, this.#state, before, by);
    if (!this.#open || before === undefined) return;
    this.#state = before;
    // Down to the part there is one name on each level.
    const [[, path] = [undefined, []]] = openFields(this.#open, []);
    this.#part = path.slice(0, this.#part.length);
  }

  fields(): Field<By>[] {
    const before = new Map(this.#open && openFields(this.#open, []));
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
  fields(): Field<By>[] {
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

function allOpen<By>(value: Json, path: JsonPath): Open<By> {
  const members = membersOf(value);
  if (!members) return new Known<By>(path, value);
  return new Map(members.map(([name, each]) => [name, allOpen<By>(each, [...path, name])]));
}

function* openFields<By>(open: Open<By>, path: JsonPath): Generator<[Known<By>, JsonPath]> {
  if (open instanceof Known) yield [open, path];
  else for (const [name, inner] of open) yield* openFields(inner, [...path, name]);
}

/** What is open still when a change is taken back, by its place before that; the rest is by the change. */
function stillOpen<By>(
  open: Open<By>,
  after: Json,
  before: Json | undefined,
  by: By,
): Open<By> | undefined {
  if (open instanceof Known) {
    if (isSameField(after, before)) return open;
    open.setBy = by;
    return undefined;
  }
  const left = new Map<string, Open<By>>();
  const keep = (name: string, inner: Open<By>, value: Json, valueBefore: Json | undefined) => {
    const still = stillOpen(inner, value, valueBefore, by);
    if (still) left.set(name, still);
  };
  if (Array.isArray(after)) {
    const elements = Array.isArray(before) ? (before as Json[]) : [];
    const places = placesBefore(after as Json[], elements);
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
