import { describe, expect, it } from 'vitest';
import { limitExpressions } from '../../../src/aws-local/dynamodb/expression-limits.ts';

function parserOf(kind?: 'condition' | 'update') {
  const parser: Parameters<typeof limitExpressions<object>>[0] = { parse: () => ({}) };
  limitExpressions(parser, kind);
  return (expression: string) => parser.parse(expression, {});
}

const tooMany = 'The expression contains too many operators; operator count: 301';

/** The expected limits were observed in DynamoDB Local 2.6.1. */
describe('the operators of an expression', () => {
  it.each([
    [1, 'a=:v'],
    [1, '#or<>:v'],
    [1, 'a >= :v'],
    [1, 'a.b[0]<=:v'],
    [1, '(a=:v)'],
    [2, 'NOT a=:v'],
    [1, 'a BETWEEN :v AND :w'],
    [1, 'a IN (:v,:w)'],
    [1, 'attribute_exists(a)'],
    [1, 'begins_with (a,:v)'],
    [2, 'size(a)>:v'],
  ])('are limited to 300 in a condition: %i in each %s', (count, term) => {
    const parse = parserOf('condition');
    // Each `or` between two terms is an operator, too.
    const terms = Math.floor(301 / (count + 1));
    const joined = (length: number) => Array.from({ length }, () => term).join(' or ');
    expect([parse(joined(terms)), parse(joined(terms + 1))]).toEqual([{}, tooMany]);
  });

  it.each(['a=b+:v', 'a=:v-:w', 'a=f (b,:v)'])('are limited to 300 in an update: %s', (change) => {
    const parse = parserOf('update');
    const update = (count: number) => `SET ${Array.from({ length: count }, () => change).join()}`;
    expect([parse(update(300)), parse(update(301))]).toEqual([{}, tooMany]);
  });

  it('do not include assignments or paths', () => {
    const names = Array.from({ length: 400 }, (_, n) => `n${n}`);
    expect(parserOf('update')(`SET ${names.map((name) => `${name}=:v`).join()}`)).toEqual({});
    expect(parserOf()(names.join())).toEqual({});
  });
});
