import conditionParser, { type ParsedCondition } from 'dynalite/db/conditionParser.js';
import projectionParser from 'dynalite/db/projectionParser.js';
import updateParser from 'dynalite/db/updateParser.js';
import { limitExpressions } from './expression-limits.ts';
import { explainSyntaxErrors, syntaxErrorAt, withOffset } from './syntax-errors.ts';

/** The maximum nesting of parentheses for dynalite's parser, which takes exponentially longer with each level. */
const maximumNesting = 2;

/**
 * Makes dynalite parse conditions with nested parentheses in linear time, and reject expressions that exceed limits.
 * boto3 nests conditions that are combined with `|`, and dynalite's own parser takes 20 seconds to parse twelve nested
 * conditions.
 */
export function parseNestedConditions(): void {
  const { parse } = conditionParser;
  conditionParser.parse = (expression, options) =>
    nestingOf(expression) > maximumNesting
      ? new ConditionReader(expression, (leaf) => parse(leaf, options)).read()
      : parse(expression, options);
  for (const parser of [conditionParser, projectionParser, updateParser])
    explainSyntaxErrors<unknown>(parser);
  limitExpressions(conditionParser, 'condition');
  limitExpressions(updateParser, 'update');
  limitExpressions(projectionParser);
}

function nestingOf(expression: string): number {
  let [depth, deepest] = [0, 0];
  for (const character of expression) {
    if (character === '(') deepest = Math.max(deepest, ++depth);
    else if (character === ')') depth--;
  }
  return deepest;
}

/** A parenthesis, a word, or any other character, with its position in the expression. */
interface Token {
  readonly text: string;
  readonly at: number;
}

/** The error thrown for an invalid condition. The error's message becomes the message of the response. */
class InvalidCondition extends Error {
  override readonly name = 'InvalidCondition';
}

/**
 * Reads the operators and the parentheses that group conditions. dynalite parses the conditions between them, such as
 * `a BETWEEN :b AND :c`.
 */
class ConditionReader {
  readonly #expression: string;
  readonly #parse: (condition: string) => ParsedCondition | string;
  readonly #tokens: readonly Token[];
  /** The index of each closing parenthesis, by the index of its opening parenthesis. */
  readonly #closing: ReadonlyMap<number, number>;
  readonly #paths = { nestedPaths: {}, pathHeads: {} };
  #next = 0;

  constructor(expression: string, parse: (condition: string) => ParsedCondition | string) {
    this.#expression = expression;
    this.#parse = parse;
    this.#tokens = Array.from(
      expression.matchAll(/[()]|[#:]?\w+|[^\s()\w]/g),
      ({ 0: text, index }) => ({ text: text.toUpperCase(), at: index }),
    );
    this.#closing = matchParentheses(this.#tokens);
  }

  /** Returns the parsed condition, or a message if it is invalid. @throws SyntaxError if it cannot be parsed. */
  read(): ParsedCondition | string {
    try {
      const expression = this.#or();
      if (this.#next < this.#tokens.length) throw syntaxErrorAt(this.#tokens[this.#next]!.at);
      return { expression, ...this.#paths };
    } catch (error) {
      if (error instanceof InvalidCondition) return error.message;
      throw error;
    }
  }

  #or(): object {
    return this.#joined('OR', () => this.#joined('AND', () => this.#not()));
  }

  #joined(operator: 'AND' | 'OR', read: () => object): object {
    const operands = [read()];
    while (this.#take(operator)) operands.push(read());
    const type = operator.toLowerCase();
    return operands.reduceRight((right, left) => ({ type, args: [left, right] }));
  }

  #not(): object {
    return this.#take('NOT') ? { type: 'not', args: [this.#operand()] } : this.#operand();
  }

  #operand(): object {
    const start = this.#next;
    const end = this.#closing.get(start);
    if (end === undefined || !this.#endsAt(end + 1)) return this.#condition();
    if (this.#closing.get(start + 1) === end - 1 && this.#endsAt(end))
      throw new InvalidCondition('The expression has redundant parentheses;');
    this.#next = start + 1;
    const inner = this.#or();
    if (this.#next !== end) throw syntaxErrorAt(this.#tokens[this.#next]!.at);
    this.#next = end + 1;
    return inner;
  }

  /** Reads a condition up to the next operator. */
  #condition(): object {
    const start = this.#next;
    let isBetween = false;
    while (!this.#endsAt(this.#next) || (isBetween && this.#isAt('AND'))) {
      if (this.#isAt('BETWEEN')) isBetween = true;
      else if (this.#isAt('AND')) isBetween = false;
      this.#next = (this.#closing.get(this.#next) ?? this.#next) + 1;
    }
    const from = this.#tokens[start]?.at ?? this.#expression.length;
    const text = this.#expression.slice(from, this.#tokens[this.#next]?.at);
    if (nestingOf(text) > maximumNesting) throw syntaxErrorAt(this.#tokens[start]!.at);
    const parsed = this.#parseAt(from, text);
    if (typeof parsed === 'string') throw new InvalidCondition(parsed);
    Object.assign(this.#paths.nestedPaths, parsed.nestedPaths);
    Object.assign(this.#paths.pathHeads, parsed.pathHeads);
    return parsed.expression;
  }

  #parseAt(from: number, text: string): ParsedCondition | string {
    try {
      return this.#parse(text);
    } catch (error) {
      throw withOffset(error, from);
    }
  }

  #isAt(text: string): boolean {
    return this.#tokens[this.#next]?.text === text;
  }

  #take(text: string): boolean {
    const isThere = this.#isAt(text);
    if (isThere) this.#next++;
    return isThere;
  }

  /** Returns true if a condition ends before a token: at an operator, a closing parenthesis, or the end. */
  #endsAt(index: number): boolean {
    const token = this.#tokens[index];
    return token === undefined || ['AND', 'OR', ')'].includes(token.text);
  }
}

/**
 * Returns the index of each closing parenthesis, by the index of its opening parenthesis.
 *
 * @throws SyntaxError if the parentheses are not balanced.
 */
function matchParentheses(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.text === '(') open.push(index);
    if (token.text !== ')') continue;
    const opening = open.pop();
    if (opening === undefined) throw syntaxErrorAt(token.at);
    closing.set(opening, index);
  }
  if (open.length > 0) throw syntaxErrorAt(Infinity);
  return closing;
}
