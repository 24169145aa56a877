import { BlockList, isIP } from 'node:net';
import { isJsonObject } from '../../common/is-json-object.ts';

/** Returns true if an event matches a pattern. */
export type EventMatcher = (event: unknown) => boolean;

/** Returns true if a value matches one condition of a pattern. A missing value is `undefined`. */
type Condition = (value: unknown) => boolean;

const got = (value: unknown) => `got ${JSON.stringify(value)}`;

/**
 * Compiles an EventBridge event pattern. An event matches if all fields of the pattern match, and a field matches if at
 * least one of its conditions matches. A condition matches a list in the event if it matches at least one element.
 *
 * @throws TypeError for a pattern that EventBridge would reject, or an unsupported operator.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export function compilePattern(pattern: unknown, path = 'the pattern'): EventMatcher {
  if (!isJsonObject(pattern) || Object.keys(pattern).length === 0)
    throw new TypeError(`${path} must be an object with at least one field; ${got(pattern)}`);
  const fields = Object.entries(pattern).map(([name, wanted]): EventMatcher => {
    const at = `${path}.${name}`;
    if (name === '$or') return anyOf(wanted, at);
    const matches = Array.isArray(wanted) ? anyCondition(wanted, at) : nested(wanted, at);
    return (event) =>
      matches(isJsonObject(event) && Object.hasOwn(event, name) ? event[name] : undefined);
  });
  return (event) => fields.every((matches) => matches(event));
}

function anyOf(alternatives: unknown, path: string): EventMatcher {
  if (!Array.isArray(alternatives) || alternatives.length < 2)
    throw new TypeError(`${path} must be a list of at least two patterns; ${got(alternatives)}`);
  const matchers = alternatives.map((each, index) => compilePattern(each, `${path}[${index}]`));
  return (event) => matchers.some((matches) => matches(event));
}

function nested(pattern: unknown, path: string): Condition {
  if (!isJsonObject(pattern))
    throw new TypeError(
      `${path} must be a list of conditions, or an object with fields; ${got(pattern)}`,
    );
  const matches = compilePattern(pattern, path);
  return (value) => (Array.isArray(value) ? value.some(matches) : matches(value));
}

function anyCondition(conditions: readonly unknown[], path: string): Condition {
  if (conditions.length === 0)
    throw new TypeError(`${path} must be a list of at least one condition; ${got(conditions)}`);
  const compiled = conditions.map((condition) => compileCondition(condition, path));
  return (value) => compiled.some((matches) => matches(value));
}

/** Compiles a condition. A list in the event matches if at least one of its elements matches. */
function compileCondition(condition: unknown, path: string): Condition {
  if (!isJsonObject(condition)) return onElements((value) => value === condition);
  const [[operator, operand] = [], ...others] = Object.entries(condition);
  if (operator === undefined || others.length > 0)
    throw new TypeError(`${path}: a condition must have exactly one operator; ${got(condition)}`);
  if (operator === 'exists') {
    if (typeof operand !== 'boolean')
      throw new TypeError(`${path}: exists must be true or false; ${got(operand)}`);
    return (value) => (value !== undefined && !isJsonObject(value)) === operand;
  }
  if (operator === 'anything-but') return onElements(anythingBut(operand, path));
  if (operator === 'numeric') return onElements(numeric(operand, path));
  if (operator === 'cidr') return onElements(inNetwork(operand, path));
  return onElements(text(operator, operand, path));
}

const onElements =
  (matches: Condition): Condition =>
  (value) =>
    value !== undefined && (Array.isArray(value) ? value.some(matches) : matches(value));

function anythingBut(operand: unknown, path: string): Condition {
  if (!isJsonObject(operand)) {
    const excluded = Array.isArray(operand) ? operand : [operand];
    return (value) => !excluded.includes(value);
  }
  const [[operator, of] = []] = Object.entries(operand);
  const texts: readonly unknown[] = Array.isArray(of) ? of : [of];
  const excluded = texts.map((each) => text(String(operator), each, path));
  return (value) => !excluded.some((matches) => matches(value));
}

/** Compiles an operator on strings. */
function text(operator: string, operand: unknown, path: string): Condition {
  const ignoresCase = isJsonObject(operand) && 'equals-ignore-case' in operand;
  const given = ignoresCase ? operand['equals-ignore-case'] : operand;
  if (typeof given !== 'string')
    throw new TypeError(`${path}: ${operator} must be a string; ${got(given)}`);
  const folded = ignoresCase || operator === 'equals-ignore-case';
  const fold = (each: string) => (folded ? each.toLowerCase() : each);
  const wanted = fold(given);
  const test = ((): ((value: string) => boolean) => {
    switch (operator) {
      case 'prefix':
        return (value) => value.startsWith(wanted);
      case 'suffix':
        return (value) => value.endsWith(wanted);
      case 'equals-ignore-case':
        return (value) => value === wanted;
      case 'wildcard':
        return wildcard(wanted);
      default:
        throw new TypeError(`${path}: the operator "${operator}" is not supported`);
    }
  })();
  return (value) => typeof value === 'string' && test(fold(value));
}

/** Compiles a wildcard pattern: `*` matches any characters, `\*` a literal asterisk. */
function wildcard(pattern: string): (value: string) => boolean {
  const [first = '', ...rest] = pattern
    .split(/(?<!\\)\*/)
    .map((part) => part.replaceAll(/\\([\\*])/g, '$1'));
  const last = rest.pop();
  if (last === undefined) return (value) => value === first;
  return (value) => {
    if (!value.startsWith(first)) return false;
    let from = first.length;
    for (const part of rest) {
      const found = value.indexOf(part, from);
      if (found === -1) return false;
      from = found + part.length;
    }
    return value.length - last.length >= from && value.endsWith(last);
  };
}

const comparisons: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '=': (value, limit) => value === limit,
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
};

function numeric(operand: unknown, path: string): Condition {
  const words: readonly unknown[] = Array.isArray(operand) ? operand : [];
  const message = `${path}: numeric must be a list of comparisons, such as [">", 0, "<=", 5]; ${got(operand)}`;
  const limits = words.flatMap((word, index) => {
    if (index % 2 === 1) return [];
    const [holds, limit] = [comparisons[String(word)], words[index + 1]];
    if (!holds || typeof limit !== 'number') throw new TypeError(message);
    return (value: number) => holds(value, limit);
  });
  if (limits.length === 0) throw new TypeError(message);
  return (value) => typeof value === 'number' && limits.every((holds) => holds(value));
}

function inNetwork(operand: unknown, path: string): Condition {
  const [address = '', bits] = String(operand).split('/');
  const family = isIP(address);
  const maximumBits = family === 6 ? 128 : 32;
  if (family === 0 || !/^\d{1,3}$/.test(bits ?? '') || Number(bits) > maximumBits)
    throw new TypeError(`${path}: cidr must be a network such as 10.0.0.0/24; ${got(operand)}`);
  const network = new BlockList();
  network.addSubnet(address, Number(bits), family === 6 ? 'ipv6' : 'ipv4');
  return (value) => {
    const of = typeof value === 'string' ? isIP(value) : 0;
    return of !== 0 && network.check(value as string, of === 6 ? 'ipv6' : 'ipv4');
  };
}
