import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import db, { type Item } from 'dynalite/db/index.js';

/** A condition as parsed by dynalite: an operator or a function, with its operands. */
export interface ParsedExpression {
  /** A logical operator, a comparison such as `<`, `between`, `in`, or `function`. */
  readonly type: string;
  /** The name of the function, if `type` is `function`. */
  readonly name?: string;
  readonly args: readonly (ParsedExpression | Path | AttributeValue)[];
}

/** A document path in an item: an attribute name, followed by map keys and list indexes. */
type Path = readonly (string | number)[];

/**
 * A condition that dynalite evaluates: `args.map` receives dynalite's function that reads the value at a document path.
 */
interface EvaluatedExpression {
  readonly type: 'attribute_exists';
  readonly args: { map(read: (path: Path) => AttributeValue): [AttributeValue | undefined] };
}

/**
 * Wraps a condition so that dynalite evaluates it with `matchesCondition`: dynalite checks whether the operand exists,
 * and the operand exists if the item matches. Reading the empty path returns the item itself.
 */
export const evaluatedCondition = (expression: ParsedExpression): EvaluatedExpression => ({
  type: 'attribute_exists',
  args: { map: (read) => [matchesCondition(read([]).M!, expression) ? { BOOL: true } : undefined] },
});

type Value = AttributeValue | undefined;

const setTypes = ['SS', 'NS', 'BS'];

/**
 * Returns true if an item matches a condition. dynalite's own function throws if an operand of `BETWEEN` or `IN` is
 * missing, and it never treats two lists or two maps as equal.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
 */
export function matchesCondition(item: Item, { type, name, args }: ParsedExpression): boolean {
  const matches = (n: number) => matchesCondition(item, args[n] as ParsedExpression);
  if (type === 'and') return matches(0) && matches(1);
  if (type === 'or') return matches(0) || matches(1);
  if (type === 'not') return !matches(0);
  const [value, ...others] = args.map((arg) => valueOf(item, arg));
  const [other, last] = others;
  switch (name ?? type) {
    case 'attribute_exists':
      return value !== undefined;
    case 'attribute_not_exists':
      return value === undefined;
    case 'attribute_type':
      return value !== undefined && typeOf(value) === other?.S;
    case 'begins_with':
      return beginsWith(value, other);
    case 'contains':
      return contains(value, other);
    case '=':
      return isEqual(value, other);
    case '<>':
      return !isEqual(value, other);
    case 'in':
      return others.some((each) => isEqual(value, each));
    case 'between':
      return isOrdered('>=', value, other) && isOrdered('<=', value, last);
    default:
      return isOrdered(type, value, other);
  }
}

/** Returns the value of an operand, or undefined if the item does not contain it. */
function valueOf(item: Item, operand: ParsedExpression['args'][number]): Value {
  if (Array.isArray(operand)) return valueAt(item, operand as Path);
  const expression = operand as ParsedExpression;
  if (expression.type !== 'function') return operand as AttributeValue;
  const size = sizeOf(valueOf(item, expression.args[0]!));
  return size === undefined ? undefined : { N: `${size}` };
}

export function valueAt(item: Item, [first, ...path]: Path): Value {
  let value: Value = member(item, first!);
  for (const name of path)
    value = typeof name === 'number' ? value?.L?.[name] : member(value?.M, name);
  return value;
}

const member = (values: Item | undefined, name: string | number): Value =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;

function sizeOf(value: Value): number | undefined {
  if (value === undefined) return undefined;
  const { S, B, M, L, SS, NS, BS } = value;
  if (B !== undefined) return bytesOf(B).length;
  if (M !== undefined) return Object.keys(M).length;
  return (S ?? L ?? SS ?? NS ?? BS)?.length;
}

function isEqual(a: Value, b: Value): boolean {
  if (a === undefined || b === undefined || typeOf(a) !== typeOf(b)) return false;
  if (typeof contentOf(a) !== 'object') return contentOf(a) === contentOf(b);
  return isDeepStrictEqual(withSortedSets(a), withSortedSets(b));
}

/** Sorts the members of all sets in a value, because their order does not matter. */
function withSortedSets(value: AttributeValue): unknown {
  const type = typeOf(value);
  const content = contentOf(value);
  if (setTypes.includes(type)) return { [type]: (content as string[]).toSorted() };
  if (type === 'L') return { L: value.L!.map(withSortedSets) };
  if (type !== 'M') return { [type]: content };
  const members = Object.entries(value.M!).map(([name, each]) => [name, withSortedSets(each)]);
  return { M: Object.fromEntries(members) as object };
}

/** Compares two numbers, two strings, or two binary values. Returns false for any other values. */
function isOrdered(comparison: string, a: Value, b: Value): boolean {
  if (a === undefined || b === undefined || typeOf(a) !== typeOf(b)) return false;
  return ['N', 'S', 'B'].includes(typeOf(a)) && db.compare(comparison, a, [b]);
}

function beginsWith(value: Value, prefix: Value): boolean {
  if (value?.B !== undefined && prefix?.B !== undefined) {
    const start = bytesOf(prefix.B);
    return bytesOf(value.B).subarray(0, start.length).equals(start);
  }
  return value?.S !== undefined && prefix?.S !== undefined && value.S.startsWith(prefix.S);
}

function contains(value: Value, part: Value): boolean {
  if (value === undefined || part === undefined) return false;
  if (value.S !== undefined) return part.S !== undefined && value.S.includes(part.S);
  if (value.B !== undefined)
    return part.B !== undefined && bytesOf(value.B).includes(bytesOf(part.B));
  if (value.L !== undefined) return value.L.some((each) => isEqual(each, part));
  const elements = contentOf(value);
  return typeOf(value) === `${typeOf(part)}S` && (elements as unknown[]).includes(contentOf(part));
}

const typeOf = (value: AttributeValue): string => Object.keys(value)[0]!;

const contentOf = (value: AttributeValue): unknown => Object.values(value)[0];

/** Decodes a binary value, which is Base64 both in requests and in the database. */
const bytesOf = (base64: unknown): Buffer => Buffer.from(base64 as string, 'base64');
