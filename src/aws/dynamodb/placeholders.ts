import type { Item } from '../client/dynamodb.ts';

/** Returns the `ExpressionAttributeNames` in which the placeholder of each attribute is `#` and its name. */
export const namePlaceholders = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`#${name}`, name]));

/** Returns the `ExpressionAttributeValues` in which the placeholder of each attribute's value is `:` and its name. */
export const valuePlaceholders = (attributes: Item): Item =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`:${name}`, value]));
