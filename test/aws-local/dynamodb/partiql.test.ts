import { describe, expect, it } from 'vitest';
import { parseStatement } from '../../../src/aws-local/dynamodb/partiql.ts';

describe('an embedded PartiQL statement', () => {
  it('inserts an item with parameters', () => {
    expect(parseStatement(`INSERT INTO "my-table" VALUE {'pk': ?, 'a b' : ?}`)).toEqual({
      kind: 'insert',
      table: 'my-table',
      names: ['pk', 'a b'],
    });
  });

  it('updates an item with conditions', () => {
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
    });
  });

  it('deletes an item by its key', () => {
    expect(parseStatement('DELETE FROM "t" WHERE "pk" = ? AND "sk" = ?')).toEqual({
      kind: 'delete',
      table: 't',
      where: [
        { name: 'pk', operator: '=' },
        { name: 'sk', operator: '=' },
      ],
    });
  });

  it.each([
    '',
    'SELECT * FROM "t"',
    'DELETE FROM "t"',
    'DELETE FROM "t" WHERE pk = ? RETURNING ALL OLD *',
    `INSERT INTO "t" VALUE {'pk': 'literal'}`,
    `INSERT INTO "t" VALUE {'pk': ?} extra`,
    `INSERT INTO "t" VALUE {'pk': ?`,
    'UPDATE "t" SET a = a + ? WHERE pk = ?',
    'UPDATE "t" SET a.b = ? WHERE pk = ?',
    'UPDATE "t" SET a = ? WHERE pk = ? OR sk = ?',
    'UPDATE "t" SET a = ? WHERE pk IN [?]',
    'UPDATE "t" SET a = ?',
  ])('is rejected as unsupported: %j', (text) => {
    expect(parseStatement(text)).toBeNull();
  });
});
