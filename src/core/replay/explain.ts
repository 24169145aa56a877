import { isJsonObject, type Json } from '../json/json.ts';
import { type JsonPath, memberOf, valueAt } from '../json/json-pointer.ts';
import { previousIndexes } from './previous-indexes.ts';

/** A field of a state, or a field that was removed from it, with the change that set or removed the field. */
export interface FieldExplanation<By> {
  readonly path: JsonPath;
  /** The field's value; undefined if the field was removed. */
  readonly value: Json | undefined;
  /** The change that set or removed the field; undefined if the search has not found it yet. */
  readonly setBy: By | undefined;
  /**
   * If `setBy` is undefined, the field's path in the oldest state searched. Differs from `path` if array elements
   * moved.
   */
  readonly pathBefore: JsonPath | undefined;
}

/**
 * Finds the change that set each field of a state: the latest change that created the field or changed its value.
 * Fields are leaf values, such as strings, numbers, `{}`, and `[]`. Array elements are tracked by value: see
 * `previousIndexes`.
 *
 * The caller passes the previous states, newest first. The search works without the model's code.
 */
export interface Explanation<By> {
  /**
   * Continues the search with the next older change.
   *
   * @param before the state before the change; undefined if this change is the first.
   * @param by the change, which becomes the `setBy` of the fields that it set.
   */
  stepBack(before: Json | undefined, by: By): void;
  /** The number of fields to explain. */
  readonly size: number;
  /** True if every field is explained. */
  readonly isComplete: boolean;
  /** Returns the fields in their order in the state. */
  fields(): FieldExplanation<By>[];
  /** Returns the path of the explained part in the oldest state searched. */
  partBefore(): JsonPath;
}

/**
 * Starts the explanation of a state.
 *
 * @param part the path to explain. Default: the whole state. If the state has no value at the path, the search finds
 *   the change that removed the value.
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

/** The fields that are not explained yet, by their paths in the oldest state searched. */
type UnexplainedFields<By> = FieldTrace<By> | ReadonlyMap<string, UnexplainedFields<By>>;

class StateExplanation<By> implements Explanation<By> {
  readonly #fields: FieldTrace<By>[];
  /** The oldest state searched. */
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
    // Every level above the requested part contains exactly one name, so the first field's path starts with the part's
    // path.
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

  /** Returns no field if the path never had a value. */
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

/** Returns the members of a value by name, or its elements by index; undefined if the value has none. */
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

/**
 * Undoes a change. Stores the change as the `setBy` of the fields that it set and returns the other fields by their
 * paths before the change.
 */
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

/** Returns true if a leaf had the same value before the change. */
function isSameField(after: Json, before: Json | undefined): boolean {
  if (typeof after !== 'object' || after === null) return after === before;
  return (
    typeof before === 'object' &&
    before !== null &&
    Array.isArray(after) === Array.isArray(before) &&
    membersOf(before) === undefined
  );
}
