import { promisify } from 'node:util';
import {
  type CancellationReason,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Store, Table } from 'dynalite/db/index.js';
import { createDynalite } from '../../../../src/aws-local/dynamodb/dynalite-store.ts';
import { itemRequests } from '../../../../src/aws-local/dynamodb/item-requests.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import type { Item } from '../../endpoints/dynamodb-table.ts';

type Settings = Omit<TransactWriteItemsCommandInput, 'TransactItems'>;

/** The operations that the tests of transactions use most. */
export function operationsOf(client: DynamoDBClient) {
  return {
    transact: (TransactItems: TransactWriteItem[], settings: Settings = {}) =>
      client.send(new TransactWriteItemsCommand({ TransactItems, ...settings })),
    get: async (TableName: string, Key: Item): Promise<Item | undefined> =>
      (await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))).Item,
    /** Returns the entries in a partition of the index `latest`. */
    indexed: async (TableName: string, part: string): Promise<Item[] | undefined> => {
      const query = new QueryCommand({
        TableName,
        IndexName: 'latest',
        KeyConditionExpression: 'part = :part',
        ExpressionAttributeValues: { ':part': { S: part } },
      });
      return (await client.send(query)).Items;
    },
  };
}

/** Returns the message and the reasons of a transaction that must be canceled. */
export async function canceled(
  transaction: Promise<unknown>,
): Promise<{ message: string; reasons: CancellationReason[] | undefined }> {
  const error = await transaction.then(
    () => new Error('The transaction succeeded.'),
    (rejection: TransactionCanceledException) => rejection,
  );
  if (error.name !== 'TransactionCanceledException') throw error;
  const { CancellationReasons: reasons } = error as TransactionCanceledException;
  return { message: error.message, reasons };
}

/** Sends a request to a database that runs in the test's own process. */
type Send = (name: string, request: object) => Promise<object>;

/** Opens a database in the test's own process, with a table whose key is `pk`. */
export async function openDatabase(
  TableName: string,
): Promise<{ store: Store; clock: ManualClock; send: Send }> {
  const clock = new ManualClock();
  const { store } = createDynalite(null);
  await store.db.open();
  await promisify(store.tableDb.put)(TableName, {
    TableName,
    TableStatus: 'ACTIVE',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  } as unknown as Table);
  const operations = itemRequests(store, clock);
  const send: Send = async (name, request) =>
    (await operations[`DynamoDB_20120810.${name}`]!(request)) as object;
  return { store, clock, send };
}
