import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  type BatchStatementRequest,
  type BatchStatementResponse,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { parseStatement } from '../../src/local/endpoints/partiql.ts';
import { type Item, itemBytes } from './item-size.ts';
import type { Meter } from './meter.ts';
import { indexEntry, type TableShape } from './table-shape.ts';

/** Something that takes DynamoDB's commands. */
export interface Sender {
  send(command: object): Promise<unknown>;
}

/**
 * A DynamoDB that bills: what goes to the one behind it is metered as the service would bill it.
 * The items before and after a write are read from behind, at no cost.
 */
export class MeteredDynamoDb {
  readonly #inner: Sender;
  readonly #shapes: ReadonlyMap<string, TableShape>;
  readonly #meter: Meter;

  constructor(inner: Sender, shapes: readonly TableShape[], meter: Meter) {
    this.#inner = inner;
    this.#shapes = new Map(shapes.map((shape) => [shape.name, shape]));
    this.#meter = meter;
  }

  /** This as what the stores take. */
  get client(): DynamoDBClient {
    return this as unknown as DynamoDBClient;
  }

  async send(command: object): Promise<unknown> {
    const operation = command.constructor.name.replace(/Command$/, '');
    const { input } = command as { input: object };
    try {
      const answer = await this.#metered(command, operation);
      this.#meter.request(`DynamoDB ${operation}`, input, answer);
      return answer;
    } catch (error) {
      this.#meter.request(`DynamoDB ${operation}`, input);
      throw error;
    }
  }

  #metered(command: object, operation: string): Promise<unknown> {
    if (command instanceof PutItemCommand)
      return this.#write(command, command.input.TableName!, command.input.Item!);
    if (command instanceof UpdateItemCommand || command instanceof DeleteItemCommand)
      return this.#write(command, command.input.TableName!, command.input.Key!);
    if (command instanceof BatchExecuteStatementCommand) return this.#execute(command);
    if (command instanceof GetItemCommand || command instanceof BatchGetItemCommand)
      return this.#get(command, operation);
    if (command instanceof QueryCommand) return this.#query(command);
    throw new Error(`not known to the meter: ${operation}`);
  }

  async #write(command: object, tableName: string, named: Item): Promise<unknown> {
    const table = this.#table(tableName);
    const before = await this.#item(table, named);
    try {
      const answer = await this.#inner.send(command);
      this.#meter.wrote(table, before, await this.#item(table, named));
      return answer;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) this.#meter.refused(before);
      throw error;
    }
  }

  /** Each statement is billed as the write, or the read, that it is. */
  async #execute(command: BatchExecuteStatementCommand): Promise<unknown> {
    const targets = command.input.Statements!.map(targetOf);
    const items = () =>
      Promise.all(targets.map(({ table, key }) => this.#item(this.#table(table), key)));
    const before = await items();
    const answer = (await this.#inner.send(command)) as { Responses: BatchStatementResponse[] };
    const after = await items();
    for (const [index, { Error: failure }] of answer.Responses.entries()) {
      const { table, writes, consistent } = targets[index]!;
      const old = before[index];
      if (!writes) this.#meter.read('BatchExecuteStatement', sizeOf(old), consistent);
      else if (failure) this.#meter.refused(old);
      else this.#meter.wrote(this.#table(table), old, after[index]);
    }
    return answer;
  }

  async #get(command: GetItemCommand | BatchGetItemCommand, operation: string): Promise<unknown> {
    const { TableName, Key, ConsistentRead, RequestItems } = command.input as Partial<
      GetItemCommand['input'] & BatchGetItemCommand['input']
    >;
    const wanted = RequestItems ?? { [TableName!]: { Keys: [Key!], ConsistentRead } };
    for (const [name, { Keys = [], ConsistentRead: consistent = false }] of Object.entries(wanted))
      for (const key of Keys)
        this.#meter.read(operation, sizeOf(await this.#item(this.#table(name), key)), consistent);
    return this.#inner.send(command);
  }

  /** By the sum of what it went through, whatever of that it shows. */
  async #query(command: QueryCommand): Promise<unknown> {
    const { TableName, IndexName, ConsistentRead = false } = command.input;
    const answer = await this.#inner.send(command);
    const { Items } = (
      command.input.Select || command.input.ProjectionExpression
        ? await this.#inner.send(new QueryCommand(whole(command.input)))
        : answer
    ) as { Items: Item[] };
    const index = this.#table(TableName!).indexes.find(({ name }) => name === IndexName);
    const shown = Items.map((item) => (index ? indexEntry(index, item)! : item));
    const bytes = shown.reduce((sum, item) => sum + itemBytes(item), 0);
    this.#meter.read('Query', bytes, ConsistentRead);
    return answer;
  }

  async #item({ name, key }: TableShape, named: Item): Promise<Item | undefined> {
    const Key = Object.fromEntries(key.map((attribute) => [attribute, named[attribute]!]));
    const command = new GetItemCommand({ TableName: name, Key, ConsistentRead: true });
    const { Item: found } = (await this.#inner.send(command)) as { Item?: Item };
    return found;
  }

  #table(name: string): TableShape {
    const shape = this.#shapes.get(name);
    if (!shape) throw new Error(`not known to the meter: the table ${name}`);
    return shape;
  }
}

const sizeOf = (item: Item | undefined) => (item ? itemBytes(item) : 0);

/** The same query with all of what it finds. */
function whole(input: QueryCommandInput): QueryCommandInput {
  return { ...input, Select: undefined, ProjectionExpression: undefined };
}

/** The item that a statement is about. */
function targetOf({ Statement, Parameters = [], ConsistentRead = false }: BatchStatementRequest) {
  const parsed = parseStatement(Statement!);
  if (!parsed) return readTargetOf(Statement!, Parameters, ConsistentRead);
  const key: Record<string, AttributeValue> = {};
  if (parsed.kind === 'insert')
    for (const [index, name] of parsed.names.entries()) key[name] = Parameters[index]!;
  else {
    let next = parsed.set.length;
    for (const { name, operator } of parsed.where) {
      if (operator === 'MISSING' || operator === 'NOT MISSING') continue;
      if (operator === '=') key[name] ??= Parameters[next]!;
      next += 1;
    }
  }
  return { table: parsed.table, key, writes: true, consistent: false };
}

/** `SELECT ... FROM "table" WHERE "pk" = ? AND "sk" = ?` */
function readTargetOf(text: string, parameters: readonly AttributeValue[], consistent: boolean) {
  const [, table, where] = /^SELECT .* FROM "([^"]+)" WHERE (.*)$/.exec(text) ?? [];
  if (!table || !where) throw new Error(`not known to the meter: ${text}`);
  const names = [...where.matchAll(/"(\w+)" = \?/g)].map(([, name]) => name!);
  const key = Object.fromEntries(names.map((name, index) => [name, parameters[index]!]));
  return { table, key, writes: false, consistent };
}
