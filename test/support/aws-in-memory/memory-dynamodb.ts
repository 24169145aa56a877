import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
  type BatchStatementError,
  type BatchStatementRequest,
  type BatchStatementResponse,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { parseStatement } from '../../../src/aws-local/dynamodb/partiql/parse-statement.ts';
import type { Delete, Insert, Update } from '../../../src/aws-local/dynamodb/partiql/statement.ts';
import { itemBytes } from '../item-size.ts';
import { compare, type Item } from './dynamodb-expressions.ts';
import { dynamoDbOf } from './dynamodb-of.ts';
import {
  invalid,
  type KeySchema,
  Table,
  type TableKey,
  type TableListener,
} from './memory-table.ts';

export interface TableDefinition {
  /** The key attributes. Default: `pk` and `sk`. */
  readonly key?: TableKey;
  readonly indexes?: Readonly<Record<string, KeySchema>>;
}

const maximumBatchBytes = 16 * 1024 * 1024;

/** The supported fields of each command. A command with any other field is rejected. */
const known: Readonly<Record<string, readonly string[]>> = {
  PutItemCommand: ['Item', 'ConditionExpression', 'ReturnValues'],
  UpdateItemCommand: ['Key', 'UpdateExpression', 'ConditionExpression', 'ReturnValues'],
  DeleteItemCommand: ['Key', 'ConditionExpression'],
  GetItemCommand: ['Key', 'ConsistentRead'],
  QueryCommand: [
    'IndexName',
    'KeyConditionExpression',
    'ScanIndexForward',
    'Limit',
    'ConsistentRead',
    'ProjectionExpression',
    'Select',
    'ExclusiveStartKey',
  ],
  ScanCommand: [
    'FilterExpression',
    'ProjectionExpression',
    'Limit',
    'ExclusiveStartKey',
    'ConsistentRead',
    'IndexName',
  ],
  BatchGetItemCommand: ['RequestItems'],
  BatchExecuteStatementCommand: ['Statements'],
};
const knownOfAll = ['TableName', 'ExpressionAttributeNames', 'ExpressionAttributeValues'];

/** An in-memory DynamoDB with the commands, expressions, and limits that the stores use. */
export class MemoryDynamoDb {
  /** A hook before each command. If it throws, the command fails. */
  interfere: (command: object) => void = () => {};
  readonly #tables: ReadonlyMap<string, Table>;

  constructor(tables: Readonly<Record<string, TableDefinition>>) {
    this.#tables = new Map(
      Object.entries(tables).map(([name, { indexes, key }]) => [
        name,
        new Table(indexes ?? {}, key),
      ]),
    );
  }

  /** This database as the client interface that the stores use. */
  get dynamoDb(): DynamoDb {
    return dynamoDbOf(this);
  }

  /** Executes a command atomically. */
  // oxlint-disable-next-line typescript/require-await -- turns errors into rejections
  async send(command: object): Promise<unknown> {
    this.interfere(command);
    const { name } = command.constructor;
    const { input } = command as { input: Record<string, unknown> };
    for (const [each, value] of Object.entries(input))
      if (value !== undefined && !knownOfAll.includes(each) && !known[name]?.includes(each))
        throw new Error(`unsupported field ${each} of ${name}`);
    if (command instanceof BatchGetItemCommand) return this.#batchGet(command.input);
    if (command instanceof BatchExecuteStatementCommand) {
      const { Statements = [] } = command.input;
      if (Statements.length > 25) throw invalid(`too many statements: ${Statements.length}`);
      return { Responses: Statements.map((each) => this.#execute(each)) };
    }
    const table = this.#table(input.TableName as string);
    if (command instanceof PutItemCommand) return table.put(command.input);
    if (command instanceof UpdateItemCommand) return table.update(command.input);
    if (command instanceof DeleteItemCommand)
      return table.delete(command.input.Key!, command.input);
    if (command instanceof GetItemCommand) return { Item: table.get(command.input.Key!) };
    if (command instanceof QueryCommand) return table.query(command.input);
    if (command instanceof ScanCommand) return table.scan(command.input);
    throw new Error(`unsupported command: ${name}`);
  }

  /** Listens for changes to a table's items. */
  listen(table: string, listener: TableListener): void {
    this.#table(table).listen(listener);
  }

  /** Puts an item into a table without fault injection. */
  put(table: string, item: Item): void {
    this.#table(table).write(item, {});
  }

  /** Deletes an item from a table by its key, without fault injection. */
  delete(table: string, key: Item): void {
    this.#table(table).delete(key);
  }

  /**
   * Returns the items of a table, sorted by key.
   *
   * @param partition default: all partitions
   */
  items(table: string, partition?: string): Item[] {
    return this.#table(table).items(partition);
  }

  #batchGet({ RequestItems = {} }: BatchGetItemCommandInput) {
    const Responses: Record<string, Item[]> = {};
    const UnprocessedKeys: Record<string, { Keys: Item[] }> = {};
    let bytes = 0;
    for (const [name, { Keys = [] }] of Object.entries(RequestItems)) {
      if (Keys.length > 100 || new Set(Keys.map(nameOf)).size < Keys.length)
        throw invalid('too many keys, or one of them twice');
      for (const key of Keys) {
        const item = this.#table(name).get(key);
        bytes += item ? itemBytes(item) : 0;
        if (bytes > maximumBatchBytes) (UnprocessedKeys[name] ??= { Keys: [] }).Keys.push(key);
        else if (item) (Responses[name] ??= []).push(item);
      }
    }
    return { Responses, UnprocessedKeys };
  }

  /** Executes a statement that inserts, updates, or deletes one item by its key. */
  #execute({ Statement, Parameters = [] }: BatchStatementRequest): BatchStatementResponse {
    const statement = parseStatement(Statement!);
    if (!statement || statement.kind === 'select')
      throw invalid(`unsupported statement: ${Statement}`);
    if (statement.kind === 'delete') return this.#delete(statement, Parameters);
    const refused =
      statement.kind === 'insert'
        ? this.#insert(statement, Parameters)
        : this.#update(statement, Parameters);
    return refused ?? { TableName: statement.table };
  }

  #insert({ table: name, names }: Insert, parameters: AttributeValue[]): Refused | undefined {
    const item = Object.fromEntries(names.map((each, n) => [each, parameters[n]!]));
    const table = this.#table(name);
    if (table.get(item)) return refused('DuplicateItem', 'Duplicate primary key exists in table');
    table.write(item, {});
    return undefined;
  }

  #delete({ table, where }: Delete, parameters: AttributeValue[]): BatchStatementResponse {
    const [pk, sk] = parameters;
    if (where.map(({ name, operator }) => `${name} ${operator}`).join() !== 'pk =,sk =')
      throw invalid('unsupported: a DELETE with conditions beyond the key');
    this.#table(table).delete({ pk: pk!, sk: sk! });
    return { TableName: table };
  }

  /** Updates an existing item. Never creates an item. */
  #update(update: Update, parameters: AttributeValue[]): Refused | undefined {
    const values = parameters.slice(update.set.length);
    const valueOf = (name: string) => values[update.where.findIndex((each) => each.name === name)]!;
    const table = this.#table(update.table);
    const item = table.get({ pk: valueOf('pk'), sk: valueOf('sk') });
    const isSo = update.where.every(({ name, operator }, n) => {
      const order = item?.[name] && compare(item[name], values[n]!);
      if (operator !== '=' && operator !== '<') throw invalid(`unsupported operator: ${operator}`);
      return order !== undefined && (operator === '=' ? order === 0 : order < 0);
    });
    if (!item || !isSo) return refused('ConditionalCheckFailed', 'The conditional request failed');
    const set = Object.fromEntries(update.set.map((name, n) => [name, parameters[n]!]));
    const kept = Object.entries({ ...item, ...set }).filter(
      ([name]) => !update.remove.includes(name),
    );
    table.write(Object.fromEntries(kept), {});
    return undefined;
  }

  #table(name: string): Table {
    const table = this.#tables.get(name);
    if (!table) throw new Error(`the table ${name} does not exist`);
    return table;
  }
}

const nameOf = ({ pk, sk }: Item) => JSON.stringify([pk?.S, sk?.S]);

type Refused = Pick<BatchStatementResponse, 'Error'>;

const refused = (Code: BatchStatementError['Code'], Message: string): Refused => ({
  Error: { Code, Message },
});
