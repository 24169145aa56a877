import { describe, expect, it } from 'vitest';
import { parseStatement } from '../../../../src/aws-local/dynamodb/partiql/parse-statement.ts';

describe('parseStatement', () => {
  it('parses INSERT statements with parameters', () => {
    expect(parseStatement(`INSERT INTO "my-table" VALUE {'pk': ?, 'a b' : ?}`)).toEqual({
      kind: 'insert',
      table: 'my-table',
      names: ['pk', 'a b'],
      operands: ['parameter', 'parameter'],
    });
  });

  it('parses UPDATE statements with conditions', () => {
    const text = `update "t" set a = ?, "b" = ? SET c=? REMOVE d, e
      WHERE pk = ? AND sk = ? and v <= ? AND w <> ? AND x IS MISSING AND "and" IS NOT MISSING`;
    expect(parseStatement(text)).toEqual({
      kind: 'update',
      table: 't',
      set: ['a', 'b', 'c'],
      remove: ['d', 'e'],
      where: [
        { name: 'pk', operator: '=' },
        { name: 'sk', operator: '=' },
        { name: 'v', operator: '<=' },
        { name: 'w', operator: '<>' },
        { name: 'x', operator: 'MISSING' },
        { name: 'and', operator: 'NOT MISSING' },
      ],
      operands: Array.from({ length: 7 }, () => 'parameter'),
    });
  });

  it('parses DELETE statements', () => {
    expect(parseStatement('DELETE FROM "t" WHERE "pk" = ? AND "sk" = ?')).toEqual({
      kind: 'delete',
      table: 't',
      where: [
        { name: 'pk', operator: '=' },
        { name: 'sk', operator: '=' },
      ],
      operands: ['parameter', 'parameter'],
    });
  });

  it('parses SELECT statements', () => {
    expect(parseStatement('SELECT a, "b"."c d".e FROM "t" WHERE pk = ?')).toEqual({
      kind: 'select',
      table: 't',
      paths: [['a'], ['b', 'c d', 'e']],
      where: [{ name: 'pk', operator: '=' }],
      operands: ['parameter'],
    });
    expect(parseStatement('SELECT * FROM "t" WHERE pk = ?')).toMatchObject({ paths: 'all' });
  });

  it('parses strings and numbers in statements', () => {
    const text = `UPDATE "t" SET a = 'it''s', b = -1.5, c = ? WHERE pk = '' AND n > 10`;
    expect(parseStatement(text)).toMatchObject({
      operands: [{ S: "it's" }, { N: '-1.5' }, 'parameter', { S: '' }, { N: '10' }],
    });
  });

  it.each([
    '',
    'SELECT * FROM "t"',
    'SELECT a. FROM "t" WHERE pk = ?',
    'SELECT a[0] FROM "t" WHERE pk = ?',
    `SELECT * FROM "t" WHERE begins_with(pk, 'a')`,
    'DELETE FROM "t"',
    'DELETE FROM "t" WHERE pk = ? RETURNING ALL OLD *',
    `INSERT INTO "t" VALUE {'pk': {}}`,
    `INSERT INTO "t" VALUE {'pk': 1.50}`,
    `INSERT INTO "t" VALUE {'pk': ?} extra`,
    `INSERT INTO "t" VALUE {'pk': ?`,
    'UPDATE "t" SET a = a + ? WHERE pk = ?',
    'UPDATE "t" SET a.b = ? WHERE pk = ?',
    'UPDATE "t" SET a = ? WHERE pk = ? OR sk = ?',
    'UPDATE "t" SET a = ? WHERE pk IN [?]',
    'UPDATE "t" SET a = ?',
  ])('returns null for the unsupported statement %j', (text) => {
    expect(parseStatement(text)).toBeNull();
  });
});
