import conditionParser from 'dynalite/db/conditionParser.js';
import updateParser from 'dynalite/db/updateParser.js';
import { describe, expect, it } from 'vitest';
import { parseNestedConditions } from '../../../src/aws-local/dynamodb/nested-conditions.ts';

const { parse: parseWithDynalite } = conditionParser;
parseNestedConditions();

/** Returns the options of dynalite's parsers. */
const options = () => ({
  context: {
    attrNames: { '#n': 'n' },
    attrVals: { ':v': { S: 'v' }, ':w': { S: 'w' } },
    isReserved: () => false,
    compare: () => false,
  },
});
const parse = (expression: string) => conditionParser.parse(expression, options());

describe('a condition with nested parentheses', () => {
  it.each([
    '(((a = :v OR b = :v) OR c = :v) OR d = :v)',
    'a = :v AND (b = :v OR (c = :v AND (d = :v OR e = :v)))',
    'NOT (a = :v AND NOT (b = :v OR NOT (c = :v)))',
    '((a BETWEEN :v AND :w) OR (b IN (:v, (:w)) AND (size(c) > :v)))',
    '(a = :v AND (b.c[1] = :v OR (attribute_exists(d.e) AND (#n) = (:v))))',
    '(a = :v and(b = :v or(c=:v and not(d<>:v))))',
    '((((a = :v))))',
    '(a = :v OR (b = :v AND ((contains(c, :v)))))',
    '(a = :v OR (b = :unknown AND (c = :v)))',
    '(a = :v OR (size(b) AND (c = :v)))',
  ])('is parsed as in dynalite: %s', (condition) => {
    expect(parse(condition)).toEqual(parseWithDynalite(condition, options()));
  });

  it.each([
    '(a = :v OR (b = :v AND (c = :v))',
    '(a = :v OR (b = :v AND (c = :v))))',
    '(a = :v OR (b = :v AND (c = :v OR)))',
    '(a = :v OR (b = :v AND (c = :v))) d = :v',
    'a = :v AND (((b = :v OR c = :v)) = :v)',
    '(((',
  ])('is rejected as in dynalite if its syntax is wrong: %s', (condition) => {
    const error = expect.objectContaining({ name: 'SyntaxError' });
    expect(() => parseWithDynalite(condition, options())).toThrow(error);
    expect(() => parse(condition)).toThrow(error);
  });

  it('can combine as many conditions as DynamoDB allows', () => {
    let condition = 'a = :v';
    for (let n = 0; n < 149; n += 1) condition = `(${condition} OR b = :v)`;
    expect(parse(condition)).toMatchObject({ expression: { type: 'or' } });
  });

  it('is rejected if the parentheses are redundant', () => {
    const condition = `${'('.repeat(1_000)}a = :v${')'.repeat(1_000)}`;
    expect(parse(condition)).toBe('The expression has redundant parentheses;');
  });
});

describe('an expression of more than 4 KB', () => {
  it.each([
    ['as a condition', conditionParser, 'a = :v'],
    ['as an update', updateParser, 'SET a = :v'],
  ])('is rejected %s', (_, parser, expression) => {
    const padded = (bytes: number) => parser.parse(expression.padEnd(bytes), options());
    expect(padded(4_096)).toBeInstanceOf(Object);
    expect(padded(4_097)).toBe(
      'Expression size has exceeded the maximum allowed size; expression size: 4097',
    );
  });
});
