import conditionParser from 'dynalite/db/conditionParser.js';
import projectionParser from 'dynalite/db/projectionParser.js';
import updateParser from 'dynalite/db/updateParser.js';
import { describe, expect, it } from 'vitest';
import { parseNestedConditions } from '../../../src/aws-local/dynamodb/nested-conditions.ts';

parseNestedConditions();

const parsers = { condition: conditionParser, projection: projectionParser, update: updateParser };

describe('a syntax error', () => {
  // The expected messages were observed in DynamoDB Local.
  it.each<[keyof typeof parsers, string, string, string]>([
    ['projection', '!!! INVALID !!!', '!', '!!'],
    ['projection', 'a b c', 'b', 'a b c'],
    ['projection', 'a,', '<EOF>', ','],
    ['projection', 'a[x]', 'x', '[x]'],
    ['update', 'INVALID SYNTAX HERE', 'INVALID', 'INVALID SYNTAX'],
    ['update', 'SET a == :v', '=', '== :v'],
    ['update', 'SET a = :v REMOVE', '<EOF>', 'REMOVE'],
    ['condition', 'hello!', '!', 'hello!'],
    ['condition', 'a = ', '<EOF>', '= '],
    ['condition', 'a = :v)', ')', ':v)'],
    ['condition', 'a IN :v', ':v', 'IN :v'],
    ['condition', '(a = :v AND (b = :v OR (c = :v))', '<EOF>', ')'],
    ['condition', '(a = :v OR (b = :v AND (c = :v OR)))', ')', 'OR))'],
    ['condition', '(a = :v OR (b = :v AND (c == :v)))', '=', '== :v'],
  ])('names the unexpected token and its neighbors: %s %s', (kind, expression, token, near) => {
    const context = {
      attrVals: { ':v': { S: 'v' } },
      isReserved: () => false,
      compare: () => false,
    };
    expect(() => parsers[kind].parse(expression, { context })).toThrow(
      expect.objectContaining({
        name: 'SyntaxError',
        message: `token: "${token}", near: "${near}"`,
      }),
    );
  });
});
