import {
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
  type BatchStatementRequest,
  type BatchStatementResponse,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { parseStatement } from '../../src/local/endpoints/partiql.ts';
import { compare, type Item } from './dynamodb-expressions.ts';
import { bytesOf, invalid, type KeySchema, Table } from './memory-table.ts';

/** A table: its own key is `pk` and `sk`. */
export interface TableDefinition {
  readonly indexes?: Readonly<Record<string, KeySchema>>;
}

const maximumBatchBytes = 16 * 1024 * 1024;

/** What each command may say here; anything else is thrown, not passed over. */
const known: Readonly<Record<string, readonly string[]>> = {
  PutItemCommand: ['Item', 'ConditionExpression'],
  UpdateItemCommand: ['Key', 'UpdateExpression', 'ConditionExpression'],
  DeleteItemCommand: ['Key'],
  GetItemCommand: ['Key', 'ConsistentRead'],
  QueryCommand: [
    'IndexName',
    'KeyConditionExpression',
    'ScanIndexForward',
    'Limit',
    'ConsistentRead',
    'Select',
    'ExclusiveStartKey',
  ],
  BatchGetItemCommand: ['RequestItems'],
  BatchExecuteStatementCommand: ['Statements'],
};
const knownOfAll = ['TableName', 'ExpressionAttributeNames', 'ExpressionAttributeValues'];

/** A DynamoDB in memory, for the commands, expressions and limits that the stores meet. */
export class MemoryDynamoDb {
  readonly #tables: ReadonlyMap<string, Table>;

  constructor(tables: Readonly<Record<string, TableDefinition>>) {
    this.#tables = new Map(
      Object.entries(tables).map(([name, { indexes }]) => [name, new Table(indexes ?? {})]),
    );
  }

  /** This as what the stores take. */
  get client(): DynamoDBClient {
    return this as unknown as DynamoDBClient;
  }

  /** Does what a command says, all of it at once. */
  // oxlint-disable-next-line typescript/require-await -- what it throws is to be a rejection
  async send(command: object): Promise<unknown> {
    const { name } = command.constructor;
    const { input } = command as { input: Record<string, unknown> };
    for (const [each, value] of Object.entries(input))
      if (value !== undefined && !knownOfAll.includes(each) && !known[name]?.includes(each))
        throw new Error(`${name} with ${each} is not known here`);
    if (command instanceof BatchGetItemCommand) return this.#batchGet(command.input);
    if (command instanceof BatchExecuteStatementCommand)
      return { Responses: command.input.Statements!.map((each) => this.#execute(each)) };
    const table = this.#table(input.TableName as string);
    if (command instanceof PutItemCommand) return table.write(command.input.Item!, command.input);
    if (command instanceof UpdateItemCommand) return table.update(command.input);
    if (command instanceof DeleteItemCommand) return table.delete(command.input.Key!);
    if (command instanceof GetItemCommand) return { Item: table.get(command.input.Key!) };
    if (command instanceof QueryCommand) return table.query(command.input);
    throw new Error(`not known here: ${name}`);
  }

  /** Everything in a table, by key. */
  items(table: string): Item[] {
    return this.#table(table).items();
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
        bytes += item ? bytesOf(item) : 0;
        if (bytes > maximumBatchBytes) (UnprocessedKeys[name] ??= { Keys: [] }).Keys.push(key);
        else if (item) (Responses[name] ??= []).push(item);
      }
    }
    return { Responses, UnprocessedKeys };
  }

  /** An update of one item by its key, on conditions: it never makes an item. */
  #execute({ Statement, Parameters = [] }: BatchStatementRequest): BatchStatementResponse {
    const update = parseStatement(Statement!);
    if (update?.kind !== 'update' || update.where.some(({ operator }) => operator !== '='))
      throw invalid(`not known here: ${Statement}`);
    const values = Parameters.slice(update.set.length);
    const wanted = Object.fromEntries(update.where.map(({ name }, n) => [name, values[n]!]));
    const { pk, sk } = wanted;
    const table = this.#table(update.table);
    const item = table.get({ pk: pk!, sk: sk! });
    if (
      !item ||
      Object.entries(wanted).some(([name, value]) => compare(item[name] ?? { S: '' }, value) !== 0)
    )
      return {
        Error: { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
      };
    const set = Object.fromEntries(update.set.map((name, n) => [name, Parameters[n]!]));
    table.write({ ...item, ...set }, {});
    return { TableName: update.table };
  }

  #table(name: string): Table {
    const table = this.#tables.get(name);
    if (!table) throw new Error(`no such table: ${name}`);
    return table;
  }
}

const nameOf = ({ pk, sk }: Item) => JSON.stringify([pk?.S, sk?.S]);
