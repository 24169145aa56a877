import type {
  AttributeValue,
  BatchExecuteStatementInput,
  BatchGetItemInput,
  BatchStatementRequest,
  QueryInput,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDb } from '../../src/aws/client/dynamodb.ts';
import { parseStatement } from '../../src/aws-local/dynamodb/partiql/parse-statement.ts';
import { type Item, itemBytes } from '../../test/support/item-size.ts';
import type { Meter } from './meter.ts';
import { indexEntry, type TableShape } from './table-shape.ts';

/** The input of an operation that writes one item. */
interface WriteInput {
  readonly TableName: string | undefined;
}

/**
 * Wraps a DynamoDB client and meters its requests in the units that DynamoDB charges for. To meter a write, the wrapper
 * reads the item before and after the write. These reads are not metered.
 *
 * @param waits a function that is awaited before each request.
 */
export function meteredDynamoDb(
  inner: DynamoDb,
  shapes: readonly TableShape[],
  meter: Meter,
  waits: () => Promise<void> = () => Promise.resolve(),
): DynamoDb {
  const tables = new Map(shapes.map((shape) => [shape.name, shape]));

  function tableOf(name: string | undefined): TableShape {
    const shape = tables.get(name ?? '');
    if (!shape) throw new Error(`the definition contains no table ${name}`);
    return shape;
  }

  async function itemOf({ name, key }: TableShape, named: Item): Promise<Item | undefined> {
    const Key = Object.fromEntries(key.map((attribute) => [attribute, named[attribute]!]));
    return (await inner.getItem({ TableName: name, Key, ConsistentRead: true })).Item;
  }

  /** Meters a request and its response. */
  const asked =
    <Input extends object, Answer>(operation: string, answer: (input: Input) => Promise<Answer>) =>
    async (input: Input): Promise<Answer> => {
      await waits();
      try {
        const given = await answer(input);
        meter.request(`DynamoDB ${operation}`, input, given);
        return given;
      } catch (error) {
        meter.request(`DynamoDB ${operation}`, input);
        throw error;
      }
    };

  const write = <Input extends WriteInput, Output>(
    operation: string,
    named: (input: Input) => Item | undefined,
    send: (input: Input) => Promise<Output>,
  ) =>
    asked(operation, async (input: Input) => {
      const table = tableOf(input.TableName);
      const before = await itemOf(table, named(input)!);
      try {
        const answer = await send(input);
        meter.wrote(table, before, await itemOf(table, named(input)!));
        return answer;
      } catch (error) {
        if ((error as Error).name === 'ConditionalCheckFailedException') meter.refused(before);
        throw error;
      }
    });

  /** Meters each statement as the write or read that it performs. */
  async function execute(input: BatchExecuteStatementInput) {
    const targets = input.Statements!.map(targetOf);
    const items = () => Promise.all(targets.map(({ table, key }) => itemOf(tableOf(table), key)));
    const before = await items();
    const answer = await inner.batchExecuteStatement(input);
    const after = await items();
    for (const [index, { Error: failure }] of answer.Responses!.entries()) {
      const { table, writes, consistent } = targets[index]!;
      const old = before[index];
      if (!writes) meter.read('BatchExecuteStatement', sizeOf(old), consistent);
      else if (failure) meter.refused(old);
      else meter.wrote(tableOf(table), old, after[index]);
    }
    return answer;
  }

  async function read(operation: string, wanted: BatchGetItemInput['RequestItems'] = {}) {
    for (const [name, { Keys = [], ConsistentRead: consistent = false }] of Object.entries(wanted))
      for (const key of Keys)
        meter.read(operation, sizeOf(await itemOf(tableOf(name), key)), consistent);
  }

  /** Meters a query by the total size of the items that match its key condition, regardless of the projection. */
  async function query(input: QueryInput) {
    const { TableName, IndexName, ConsistentRead = false } = input;
    const answer = await inner.query(input);
    const { Items = [] } =
      input.Select || input.ProjectionExpression ? await inner.query(whole(input)) : answer;
    const index = tableOf(TableName).indexes.find(({ name }) => name === IndexName);
    const shown = Items.map((item) => (index ? indexEntry(index, item)! : item));
    const bytes = shown.reduce((sum, item) => sum + itemBytes(item), 0);
    meter.read('Query', bytes, ConsistentRead);
    return answer;
  }

  return {
    putItem: write(
      'PutItem',
      ({ Item: item }) => item,
      (input) => inner.putItem(input),
    ),
    updateItem: write(
      'UpdateItem',
      ({ Key }) => Key,
      (input) => inner.updateItem(input),
    ),
    deleteItem: write(
      'DeleteItem',
      ({ Key }) => Key,
      (input) => inner.deleteItem(input),
    ),
    getItem: asked('GetItem', async (input) => {
      const { TableName, Key, ConsistentRead } = input;
      await read('GetItem', { [TableName!]: { Keys: [Key!], ConsistentRead } });
      return inner.getItem(input);
    }),
    batchGetItem: asked('BatchGetItem', async (input) => {
      await read('BatchGetItem', input.RequestItems);
      return inner.batchGetItem(input);
    }),
    query: asked('Query', query),
    batchExecuteStatement: asked('BatchExecuteStatement', execute),
    scan: () => Promise.reject(new Error('the meter does not support Scan')),
  };
}

const sizeOf = (item: Item | undefined) => (item ? itemBytes(item) : 0);

/** Returns the query without a projection so that it returns all attributes. */
function whole(input: QueryInput): QueryInput {
  return { ...input, Select: undefined, ProjectionExpression: undefined };
}

/** Returns the table and the key of the item that a statement reads or writes. */
function targetOf({ Statement, Parameters = [], ConsistentRead = false }: BatchStatementRequest) {
  const parsed = parseStatement(Statement!);
  if (!parsed) return readTargetOf(Statement!, Parameters, ConsistentRead);
  const key: Record<string, AttributeValue> = {};
  if (parsed.kind === 'insert')
    for (const [index, name] of parsed.names.entries()) key[name] = Parameters[index]!;
  else {
    let next = parsed.kind === 'update' ? parsed.set.length : 0;
    for (const { name, operator } of parsed.where) {
      if (operator === 'MISSING' || operator === 'NOT MISSING') continue;
      if (operator === '=') key[name] ??= Parameters[next]!;
      next += 1;
    }
  }
  return { table: parsed.table, key, writes: true, consistent: false };
}

/** Returns the target of a statement of the form `SELECT ... FROM "table" WHERE "pk" = ? AND "sk" = ?`. */
function readTargetOf(text: string, parameters: readonly AttributeValue[], consistent: boolean) {
  const [, table, where] = /^SELECT .* FROM "([^"]+)" WHERE (.*)$/.exec(text) ?? [];
  if (!table || !where) throw new Error(`the meter does not support the statement ${text}`);
  const names = [...where.matchAll(/"(\w+)" = \?/g)].map(([, name]) => name!);
  const key = Object.fromEntries(names.map((name, index) => [name, parameters[index]!]));
  return { table, key, writes: false, consistent };
}
