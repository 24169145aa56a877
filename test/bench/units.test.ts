import { describe, expect, it } from 'vitest';
import { shapeOf } from '../../bench/cost/table-shape.ts';
import { indexWriteUnits, readUnits, writeUnits } from '../../bench/cost/units.ts';
import type { Item } from '../support/item-size.ts';

const item = (bytes: number, more: Item = {}): Item => ({
  ...more,
  x: { S: 'y'.repeat(bytes - 1) },
});
const kb = 1024;

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html */
describe('the read units', () => {
  it.each([
    ['an item of 3.5 KB', 3.5 * kb, 1, 0.5],
    ['an item of 10 KB', 10 * kb, 3, 1.5],
    ['a query of 40.8 KB', 40.8 * kb, 11, 5.5],
    ['a query of 1,500 items of 64 bytes', 1_500 * 64, 24, 12],
    ['an empty result', 0, 1, 0.5],
  ])('of %s follow the rules of AWS', (_, bytes, strong, eventual) => {
    expect(readUnits(bytes, { consistent: true })).toBe(strong);
    expect(readUnits(bytes, { consistent: false })).toBe(eventual);
  });
});

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html */
describe('the write units of a table', () => {
  it.each([
    ['a new item of 500 bytes', undefined, item(500), 1],
    ['a new item of 2.5 KB', undefined, item(2 * kb + 512), 3],
    ['an item of exactly 1 KB', undefined, item(kb), 1],
    ['an item that grows', item(kb), item(2 * kb), 2],
    ['an item that shrinks from 3 KB', item(3 * kb), item(10), 3],
    ['an item that is deleted', item(2 * kb), undefined, 2],
    ['a delete of a missing item', undefined, undefined, 1],
    ['a failed condition on an item of 2 KB', item(2 * kb), item(2 * kb), 2],
  ])('for %s follow the rules of AWS', (_, before, after, units) => {
    expect(writeUnits(before, after)).toBe(units);
  });
});

/**
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes
 */
describe('the write units of an index', () => {
  const { indexes } = shapeOf({
    TableName: 'GameScores',
    AttributeDefinitions: [],
    KeySchema: [
      { AttributeName: 'UserId', KeyType: 'HASH' },
      { AttributeName: 'GameTitle', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'GameTitleIndex',
        KeySchema: [
          { AttributeName: 'GameTitle', KeyType: 'HASH' },
          { AttributeName: 'TopScore', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['Losses'] },
      },
    ],
  });
  const [index] = indexes;
  const score = (more: Item): Item => ({
    UserId: { S: '101' },
    GameTitle: { S: 'Galaxy Invaders' },
    ...more,
  });
  const units = (before: Item | undefined, after: Item | undefined) =>
    indexWriteUnits(index!, before, after);
  const low = score({ TopScore: { N: '10' } });

  it('are one for an entry that is added to the index', () => {
    expect(units(undefined, low)).toBe(1);
    expect(units(score({}), low)).toBe(1);
  });

  it('are one for an entry that is removed from the index', () => {
    expect(units(low, undefined)).toBe(1);
    expect(units(low, score({}))).toBe(1);
  });

  it("are two for a change to the item's key in the index", () => {
    expect(units(low, score({ TopScore: { N: '20' } }))).toBe(2);
  });

  it('are one for a change to a projected attribute', () => {
    expect(units(low, { ...low, Losses: { N: '3' } })).toBe(1);
  });

  it('are zero for a change to other attributes', () => {
    expect(units(low, { ...low, Wins: { N: '3' } })).toBe(0);
  });

  it('are zero for an item that is not in the index', () => {
    expect(units(undefined, score({}))).toBe(0);
    expect(units(score({}), score({ Wins: { N: '1' } }))).toBe(0);
  });

  it('depend on the size of the projected attributes, not of the item', () => {
    const large = { ...low, Wins: { S: 'w'.repeat(5 * kb) } };
    expect(units(undefined, large)).toBe(1);
    const shown = { ...low, Losses: { S: 'l'.repeat(2 * kb) } };
    expect(units(undefined, shown)).toBe(3);
    expect(units(shown, low)).toBe(3);
    expect(units(shown, { ...low, TopScore: { N: '20' } })).toBe(3 + 1);
  });
});
