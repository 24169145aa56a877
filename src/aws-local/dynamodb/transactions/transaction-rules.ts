import db, { type Item } from 'dynalite/db/index.js';
import { operations, type Rules } from '../dynalite-operations.ts';

/** The maximum number of actions or statements in a transaction. */
const maximumActions = 100;
/**
 * The maximum size of the values in a request, and of the items that a transaction reads, in bytes.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html#limits-dynamodb-transactions
 */
export const maximumBytes = 4 * 1024 * 1024;

/** The parameters of single-item operations that actions support. */
const actionParameters = [
  ...['TableName', 'Item', 'Key', 'UpdateExpression', 'ConditionExpression'],
  ...['ProjectionExpression', 'ExpressionAttributeNames', 'ExpressionAttributeValues'],
  'ReturnValuesOnConditionCheckFailure',
];

/** The type of a transaction's list of actions, in dynalite's format. */
export const actionList = (children: Record<string, object>): object => ({
  type: 'List',
  notNull: true,
  lengthGreaterThanOrEqual: 1,
  lengthLessThanOrEqual: maximumActions,
  children: { type: 'ValueStruct<TransactItem>', notNull: true, children },
});

/** The type of an action that follows the rules of an operation. Some parameters can be required. */
export function actionType(
  name: string,
  { types }: Rules,
  ...required: readonly string[]
): { type: string; children: object } {
  const children = actionParameters
    .filter((parameter) => parameter in types)
    .map((parameter) => [
      parameter,
      { ...types[parameter], ...(required.includes(parameter) && { notNull: true }) },
    ]);
  return { type: `FieldStruct<${name}>`, children: Object.fromEntries(children) };
}

/**
 * The types of the parameters that transactions share. `TransactGetItems` accepts only the first of these parameters.
 */
export const commonTypes = () => ({
  ReturnConsumedCapacity: operations.PutItem.rules.types['ReturnConsumedCapacity']!,
  ClientRequestToken: { type: 'String', lengthGreaterThanOrEqual: 1, lengthLessThanOrEqual: 36 },
});

/** Returns a message if the values in a request are too large. */
export function payloadProblem(values: readonly (Item | undefined)[]): string | undefined {
  const bytes = totalSize(values);
  if (bytes <= maximumBytes) return undefined;
  return `Transaction payload size cannot exceed 4MB. Payload Size: ${bytes}`;
}

/** The total size of items, in bytes. */
export const totalSize = (items: readonly (Item | undefined)[]): number =>
  items.reduce((sum, item) => sum + (item ? db.itemSize(item) : 0), 0);
