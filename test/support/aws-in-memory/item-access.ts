import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  type BatchStatementRequest,
  DeleteItemCommand,
  GetItemCommand,
} from '@aws-sdk/client-dynamodb';
import { parseStatement } from '../../../src/aws-local/dynamodb/partiql/parse-statement.ts';
import type { Item } from './dynamodb-expressions.ts';

/** An item that a request to DynamoDB reads or writes, or all items of a query or scan. */
export interface ItemAccess {
  readonly kind: 'get' | 'query' | 'put' | 'update' | 'delete';
  /** The partition key in the table. Empty for a query of an index and for a scan. */
  readonly pk: string;
  /** The sort key. Empty for a query and for a scan. */
  readonly sk: string;
  /** The attributes that a put or an update writes. Empty for all other accesses. */
  readonly attributes: readonly string[];
}

/** Returns the items that a command of the AWS SDK reads or writes, in order. */
export function accessesOf(command: object): ItemAccess[] {
  if (command instanceof BatchGetItemCommand)
    return Object.values(command.input.RequestItems ?? {}).flatMap(({ Keys = [] }) =>
      Keys.map((key) => accessTo('get', key)),
    );
  if (command instanceof BatchExecuteStatementCommand)
    return (command.input.Statements ?? []).map(statementAccess);
  const { input } = command as { input: SingleInput };
  if (command instanceof GetItemCommand) return [accessTo('get', input.Key!)];
  if (command instanceof DeleteItemCommand) return [accessTo('delete', input.Key!)];
  if (input.Item) return [accessTo('put', input.Item, Object.keys(input.Item))];
  if (input.Key) return [accessTo('update', input.Key, updatedAttributes(input))];
  const pk = input.ExpressionAttributeValues?.[':pk'];
  return [accessTo('query', pk ? { pk } : {})];
}

/** Returns the item that a statement of a batch writes or deletes. */
export function statementAccess({ Statement, Parameters = [] }: BatchStatementRequest): ItemAccess {
  const parsed = parseStatement(Statement!);
  const keyIn = (names: readonly { readonly name: string }[], values: AttributeValue[]) =>
    Object.fromEntries(names.map(({ name }, n) => [name, values[n]!]));
  switch (parsed?.kind) {
    case 'insert': {
      const item = Object.fromEntries(parsed.names.map((name, n) => [name, Parameters[n]!]));
      return accessTo('put', item, parsed.names);
    }
    case 'delete':
      return accessTo('delete', keyIn(parsed.where, Parameters));
    case 'update':
      return accessTo(
        'update',
        keyIn(parsed.where, Parameters.slice(parsed.set.length)),
        parsed.set,
      );
    case 'select':
    case undefined:
      throw new Error(`unsupported statement: ${Statement}`);
  }
}

/** The input of a command for one item or one query. */
interface SingleInput {
  readonly Key?: Item;
  readonly Item?: Item;
  readonly UpdateExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeValue>>;
}

function accessTo(
  kind: ItemAccess['kind'],
  { pk, sk }: Item,
  attributes: readonly string[] = [],
): ItemAccess {
  return { kind, pk: pk?.S ?? '', sk: sk?.S ?? '', attributes };
}

/** Returns the attributes that an update expression changes: `a` for `SET a = :b`, `ADD a :b`, and `DELETE a :b`. */
function updatedAttributes({ UpdateExpression, ExpressionAttributeNames }: SingleInput): string[] {
  const names = [...(UpdateExpression ?? '').matchAll(/(#?\w+) [=:]/g)].map(([, name]) => name!);
  return names.map((name) => ExpressionAttributeNames?.[name] ?? name);
}
