import type {
  AttributeValue,
  BatchExecuteStatementInput,
  BatchGetItemInput,
  BatchStatementError,
  DeleteItemInput,
  GetItemInput,
  PutItemInput,
  QueryInput,
  ScanInput,
  UpdateItemInput,
} from '@aws-sdk/client-dynamodb';
import { encodeBytes, parseWithBytes } from './transport/attribute-bytes.ts';
import { type JsonService, jsonService } from './transport/json-service.ts';
import type { ServiceOptions } from './transport/service-client.ts';

/** An item in a table, as attribute values by name. */
export type Item = Record<string, AttributeValue>;

/** A page of query or scan results. */
export interface QueryPage {
  readonly Items?: Item[];
  readonly Count?: number;
  readonly ScannedCount?: number;
  readonly LastEvaluatedKey?: Item;
}

/** The DynamoDB operations that Milepost uses, named like the methods of the AWS SDK's `DynamoDB` client. */
export interface DynamoDb {
  getItem(input: GetItemInput): Promise<{ readonly Item?: Item }>;
  putItem(input: PutItemInput): Promise<{ readonly Attributes?: Item }>;
  updateItem(input: UpdateItemInput): Promise<{ readonly Attributes?: Item }>;
  deleteItem(input: DeleteItemInput): Promise<unknown>;
  query(input: QueryInput): Promise<QueryPage>;
  scan(input: ScanInput): Promise<QueryPage>;
  batchGetItem(input: BatchGetItemInput): Promise<{
    readonly Responses?: Record<string, Item[]>;
    readonly UnprocessedKeys?: BatchGetItemInput['RequestItems'];
  }>;
  batchExecuteStatement(input: BatchExecuteStatementInput): Promise<{
    readonly Responses?: readonly { readonly Error?: BatchStatementError }[];
  }>;
}

export function dynamoDb(options: ServiceOptions): DynamoDb {
  const protocol = { service: 'dynamodb', version: '1.0', target: 'DynamoDB_20120810' } as const;
  const send = jsonService(options, protocol, parseWithBytes);
  const call: JsonService = (operation, input) => send(operation, encodeBytes(input));
  return {
    getItem: (input) => call('GetItem', input),
    putItem: (input) => call('PutItem', input),
    updateItem: (input) => call('UpdateItem', input),
    deleteItem: (input) => call('DeleteItem', input),
    query: async (input) => checkPage('Query', await call('Query', input)),
    scan: async (input) => checkPage('Scan', await call('Scan', input)),
    batchGetItem: (input) => call('BatchGetItem', input),
    batchExecuteStatement: (input) => call('BatchExecuteStatement', input),
  };
}

/** Throws an error if a response has no count: such a response would look like an empty page. */
function checkPage(operation: string, page: QueryPage): QueryPage {
  if (page.Count === undefined) throw new Error(`${operation} returned no \`Count\``);
  return page;
}
