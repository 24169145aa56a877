import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { StatusRow } from '../../core/status/status-row.ts';
import type { Item } from '../client/dynamodb.ts';

/** The name of an attribute that is derived from a commit: see `derivedAttributes`. */
type DerivedAttribute =
  | Exclude<keyof StatusRow, 'model' | 'keys' | 'parked'>
  | 'businessKeys'
  | 'changeKey'
  | `${'status' | 'transaction' | 'due' | 'late'}Shard`
  | `${'due' | 'late'}Key`
  | 'late';

/** The name of an attribute that describes the queue of parked events: see `queue-row.ts`. */
type QueueAttribute = 'parked' | 'parking' | 'queueVersion' | 'parkedShard' | 'parkedKey';

/** The name of an attribute of a status row. */
export type StatusAttribute = 'pk' | 'sk' | DerivedAttribute | QueueAttribute;

/** A status row, or some of its attributes. */
export type StatusItem = { readonly [name in StatusAttribute]?: AttributeValue };

/** All attributes that are derived from a commit; undefined if the row does not have the attribute. */
export type DerivedAttributes = {
  readonly [name in DerivedAttribute]: AttributeValue | undefined;
};

/** Returns an attribute's name for an expression. The parameter's type rejects unknown names. */
export function attribute(name: StatusAttribute): string {
  return name;
}

/** Returns the attributes that a row has. */
export const presentAttributes = (attributes: DerivedAttributes) =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value)) as Item;

/** Returns the names of the attributes that a row does not have. An update removes those of an earlier row. */
export const absentAttributes = (attributes: DerivedAttributes) =>
  Object.entries(attributes).flatMap(([name, value]) => (value ? [] : [name]));
