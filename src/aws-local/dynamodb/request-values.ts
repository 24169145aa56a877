import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from 'dynalite/db/index.js';

/** The type of a member of a request, in dynalite's format: a name such as `List`, with the types of its members. */
type MemberType = string | { readonly type: string; readonly children?: MemberType | MemberTypes };

export type MemberTypes = Readonly<Record<string, MemberType>>;

/** The position of a member in a request, such as `['tags', 1, 'member', 'key']`. */
type Path = readonly (string | number)[];

/**
 * The maximum number of levels of an attribute. A string has one level, and a list of strings has two.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-attributes
 */
export const maximumLevels = 32;

/** Values in expressions can have one more level than stored attributes, as in DynamoDB Local and in us-east-1. */
const maximumLevelsOfValue = maximumLevels + 1;

/**
 * More JSON levels than any valid request has. Each level of a value takes two JSON levels: the object with the value's
 * type, and the list or map in it.
 */
const maximumJsonLevels = 2 * maximumLevelsOfValue + 10;

const tooManyLevels =
  'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit';

/**
 * Returns a message if a request's JSON has more levels than any valid request, or a member named `__proto__`. With too
 * many levels, recursive functions could overflow the stack. dynalite would assign the value of `__proto__` as the
 * prototype of an object.
 */
export function jsonProblem(json: object, levels = maximumJsonLevels): string | undefined {
  if (levels === 0) return tooManyLevels;
  if (Object.hasOwn(json, '__proto__'))
    return 'The local endpoint does not support attributes or map keys named `__proto__`';
  return firstProblem(Object.values(json), (value: unknown) =>
    typeof value === 'object' && value !== null ? jsonProblem(value, levels - 1) : undefined,
  );
}

/** Returns a message if an attribute of an item has too many levels. */
export const itemProblem = (item: Item): string | undefined =>
  Object.values(item).some((value) => exceedsLevels(value, maximumLevels))
    ? tooManyLevels
    : undefined;

/**
 * Returns a message if a request contains null in a list or a map, or a value with too many levels. dynalite checks
 * neither, and throws a TypeError when it reads a member of null.
 *
 * @param request a request whose members have the right types. Members that are null are omitted.
 */
export function valueProblem(
  request: object,
  types: MemberTypes,
  path: Path = [],
): string | undefined {
  return firstProblem(Object.entries(request), ([name, value]) =>
    Object.hasOwn(types, name)
      ? memberProblem(value, types[name]!, [...path, lowerFirst(name)])
      : undefined,
  );
}

function memberProblem(value: unknown, type: MemberType, path: Path): string | undefined {
  const { type: name, children } = typeof type === 'string' ? { type, children: undefined } : type;
  if (name.startsWith('AttrStruct')) return attributeProblem(value as AttributeValue | null, path);
  if (value === null)
    return `1 validation error detected: Value null at '${path.join('.')}' failed to satisfy constraint: Member must not be null`;
  if (typeof value !== 'object' || children === undefined) return undefined;
  if (name.includes('Struct')) return valueProblem(value, children as MemberTypes, path);
  return firstProblem(Object.entries(value), ([key, element]) => {
    const label = Array.isArray(value) ? Number(key) + 1 : key;
    return memberProblem(element, children as MemberType, [...path, label, 'member']);
  });
}

function attributeProblem(value: AttributeValue | null, path: Path): string | undefined {
  const isOfExpression = path[0] === 'expressionAttributeValues';
  const name = path.at(-2);
  const problem =
    nullProblem(value, isOfExpression ? undefined : name) ??
    (exceedsLevels(value!, maximumLevelsOfValue) ? tooManyLevels : undefined);
  if (problem === undefined || !isOfExpression) return problem;
  return `ExpressionAttributeValues contains invalid value: ${problem} for key ${name}`;
}

/** @param name the name of the attribute, or its position in a list; undefined if the message must not contain it. */
function nullProblem(
  value: AttributeValue | null,
  name: string | number | undefined,
): string | undefined {
  if (value === null)
    return `The supplied Item contains a null AttributeValue${typeof name === 'string' ? `: ${name} is null` : ''}`;
  const { L = [], M = {}, SS = [], NS = [], BS = [] } = value;
  if ([...SS, ...NS, ...BS].includes(null as never))
    return 'One or more parameter values were invalid: A set may not have a null member';
  return (
    firstProblem([...L.entries()], ([n, element]) => nullProblem(element, n)) ??
    firstProblem(Object.entries(M), ([key, member]) => nullProblem(member, key))
  );
}

function exceedsLevels({ L = [], M = {} }: AttributeValue, limit: number): boolean {
  return (
    limit === 0 || [...L, ...Object.values(M)].some((value) => exceedsLevels(value, limit - 1))
  );
}

function firstProblem<Element>(
  elements: readonly Element[],
  problemOf: (element: Element) => string | undefined,
): string | undefined {
  for (const element of elements) {
    const problem = problemOf(element);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
