import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Item = Record<string, AttributeValue>;

/** The names and values of an expression's `#name` and `:value` placeholders. */
export interface Placeholders {
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Item;
}

type Operand = (item: Item) => AttributeValue | undefined;
type Test = (item: Item) => boolean;

/**
 * Compiles a condition or key condition. Supports comparisons, `BETWEEN`, `begins_with`, `contains`,
 * `attribute_exists`, and `attribute_not_exists`, joined by `AND` and `OR`. Throws for any other expression.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
 */
export function conditionOf(expression: string, placeholders: Placeholders): Test {
  const reader = new Reader(expression, placeholders);
  const test = anyOf(reader);
  reader.end();
  return test;
}

/** Compiles `SET a = :a, b = if_not_exists(b, :b) REMOVE c ADD d :d DELETE e :e` to a function that updates an item. */
export function updateOf(expression: string, placeholders: Placeholders): (item: Item) => Item {
  const reader = new Reader(expression, placeholders);
  const changes: ((before: Item) => Item)[] = [];
  while (!reader.ended) {
    const read = clauses[reader.word()];
    if (!read) throw new Error(`unsupported expression: ${expression}`);
    do changes.push(read(reader));
    while (reader.takeIf(','));
  }
  return (before) => {
    // All operands refer to the item before the update.
    const after = changes.reduce<Item>((item, change) => ({ ...item, ...change(before) }), before);
    return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== undefined));
  };
}

/** The effect of each clause of an update on an attribute. A result of undefined removes the attribute. */
const clauses: Readonly<Record<string, (reader: Reader) => (before: Item) => Item>> = {
  SET(reader) {
    const name = reader.name();
    reader.take('=');
    const value = setValue(reader);
    return (before) => ({ [name]: value(before)! });
  },
  REMOVE(reader) {
    const name = reader.name();
    return () => ({ [name]: undefined }) as unknown as Item;
  },
  ADD(reader) {
    const name = reader.name();
    const value = reader.value();
    return (before) => ({
      [name]: value.SS
        ? { SS: [...new Set([...(before[name]?.SS ?? []), ...value.SS])] }
        : { N: String(Number(before[name]?.N ?? 0) + Number(value.N)) },
    });
  },
  DELETE(reader) {
    const name = reader.name();
    const taken = reader.value().SS!;
    return (before) => {
      const left = before[name]?.SS?.filter((each) => !taken.includes(each)) ?? [];
      // Remove an empty set, because DynamoDB stores no empty sets.
      return { [name]: left.length > 0 ? { SS: left } : undefined } as unknown as Item;
    };
  },
};

/**
 * Compares strings by UTF-8 bytes and numbers by value. Negative if `a` sorts before `b`; undefined unless `a` and `b`
 * are both strings or both numbers.
 */
export function compare(a: AttributeValue, b: AttributeValue): number | undefined {
  if (a.S !== undefined && b.S !== undefined) return compareText(a.S, b.S);
  if (a.N !== undefined && b.N !== undefined) return Number(a.N) - Number(b.N);
  return undefined;
}

/** Compares strings by their UTF-8 bytes. Negative if `a` sorts before `b`. */
export function compareText(a: string, b: string): number {
  // The order of UTF-8 bytes differs from JavaScript's order only for surrogate pairs.
  if (/[\ud800-\udfff]/.test(a + b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function anyOf(reader: Reader): Test {
  const tests = [allOf(reader)];
  while (reader.takeIf('OR')) tests.push(allOf(reader));
  return (item) => tests.some((test) => test(item));
}

function allOf(reader: Reader): Test {
  const tests = [single(reader)];
  while (reader.takeIf('AND')) tests.push(single(reader));
  return (item) => tests.every((test) => test(item));
}

function single(reader: Reader): Test {
  const [word, next] = reader.ahead;
  if (next === '(') {
    reader.take(word!);
    reader.take('(');
    const name = reader.name();
    const test = functionOf(word!, name, reader);
    reader.take(')');
    return test;
  }
  const left = operand(reader);
  if (reader.takeIf('BETWEEN')) {
    const low = operand(reader);
    reader.take('AND');
    const high = operand(reader);
    return (item) => holds('>=', left(item), low(item)) && holds('<=', left(item), high(item));
  }
  const comparison = reader.word();
  const right = operand(reader);
  return (item) => holds(comparison, left(item), right(item));
}

function functionOf(called: string, name: string, reader: Reader): Test {
  switch (called) {
    case 'attribute_exists':
      return (item) => item[name] !== undefined;
    case 'attribute_not_exists':
      return (item) => item[name] === undefined;
    case 'begins_with': {
      reader.take(',');
      const start = operand(reader);
      return (item) => item[name]?.S?.startsWith(start(item)!.S!) ?? false;
    }
    case 'contains': {
      reader.take(',');
      const part = operand(reader);
      return (item) => item[name]?.S?.includes(part(item)!.S!) ?? false;
    }
    default:
      throw new Error(`unknown function: ${called}`);
  }
}

function setValue(reader: Reader): Operand {
  if (!reader.takeIf('if_not_exists')) return operand(reader);
  reader.take('(');
  const name = reader.name();
  reader.take(',');
  const otherwise = operand(reader);
  reader.take(')');
  return (item) => item[name] ?? otherwise(item);
}

function operand(reader: Reader): Operand {
  if (reader.ahead[0]?.startsWith(':')) {
    const value = reader.value();
    return () => value;
  }
  const name = reader.name();
  return (item) => item[name];
}

function holds(comparison: string, a?: AttributeValue, b?: AttributeValue): boolean {
  const order = a && b && compare(a, b);
  if (order === undefined) return false;
  switch (comparison) {
    case '=':
      return order === 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>=':
      return order >= 0;
    case '>':
      return order > 0;
    default:
      throw new Error(`unknown comparison: ${comparison}`);
  }
}

class Reader {
  readonly #words: string[];
  readonly #placeholders: Placeholders;

  constructor(expression: string, placeholders: Placeholders) {
    this.#words = expression.match(/[#:]?\w+|<=|>=|[^\s\w]/g) ?? [];
    this.#placeholders = placeholders;
  }

  get ahead(): readonly string[] {
    return this.#words.slice(0, 2);
  }

  word(): string {
    const word = this.#words.shift();
    if (word === undefined) throw new Error('an expression is incomplete');
    return word;
  }

  take(expected: string): void {
    const word = this.word();
    if (word !== expected) throw new Error(`an expression must have ${expected}; got ${word}`);
  }

  takeIf(expected: string): boolean {
    if (this.#words[0] !== expected) return false;
    this.#words.shift();
    return true;
  }

  name(): string {
    const word = this.word();
    const name = word.startsWith('#') ? this.#placeholders.ExpressionAttributeNames?.[word] : word;
    // A placeholder can stand for any name.
    if (name === undefined || (name === word && !/^\w+$/.test(name)))
      throw new Error(`not a name: ${word}`);
    return name;
  }

  value(): AttributeValue {
    const word = this.word();
    const value = this.#placeholders.ExpressionAttributeValues?.[word];
    if (value === undefined) throw new Error(`not a value: ${word}`);
    return value;
  }

  get ended(): boolean {
    return this.#words.length === 0;
  }

  end(): void {
    if (!this.ended)
      throw new Error(`an expression contains unexpected words: ${this.#words.join(' ')}`);
  }
}
