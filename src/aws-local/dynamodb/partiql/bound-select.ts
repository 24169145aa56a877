import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from 'dynalite/db/index.js';
import { matchesCondition, valueAt } from '../match-condition.ts';
import type { Condition, Select } from './statement.ts';

/** The attributes to read, and the conditions that the item must match. */
export interface BoundSelect {
  readonly paths: Select['paths'];
  readonly where: readonly BoundCondition[];
}

export interface BoundCondition {
  readonly name: string;
  readonly operator: Condition['operator'];
  readonly values: readonly AttributeValue[];
}

/** The condition operator or function that corresponds to each PartiQL operator. */
const comparisons: Record<Condition['operator'], string> = {
  ...{ '=': '=', '<>': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' },
  MISSING: 'attribute_not_exists',
  'NOT MISSING': 'attribute_exists',
};

/**
 * Returns the selected values of an item, each under the last name of its path: `b` for `SELECT a.b`. Returns undefined
 * if the item does not match the conditions.
 */
export function select(item: Item | undefined, { where, paths }: BoundSelect): Item | undefined {
  if (!item || !matches(item, where)) return undefined;
  if (paths === 'all') return item;
  const values = paths.map((path) => [path.at(-1)!, valueAt(item, path)] as const);
  return Object.fromEntries(
    values.filter((one): one is [string, AttributeValue] => one[1] !== undefined),
  );
}

/** Returns true if an item matches all conditions. */
export const matches = (item: Item, where: readonly BoundCondition[]) =>
  where.every(({ name, operator, values }) =>
    matchesCondition(item, { type: comparisons[operator], args: [[name], ...values] }),
  );
