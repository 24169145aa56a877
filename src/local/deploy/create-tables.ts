import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  type KeySchemaElement,
  ResourceInUseException,
  type TableDescription,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { StartError } from '../../aws-local/server/start-error.ts';
import type { TableDefinition } from '../template/service-definition.ts';
import { updateStream, updateTimeToLive } from './update-table.ts';

/**
 * Creates the tables that no earlier run has created, and updates each table's change stream and expiry setting.
 *
 * @returns true if at least one table is new.
 * @throws StartError if an existing table has different keys or indexes.
 */
export async function createTables(
  client: DynamoDBClient,
  tables: readonly TableDefinition[],
): Promise<boolean> {
  const areNew = await Promise.all(tables.map((table) => createTable(client, table)));
  return areNew.some(Boolean);
}

async function createTable(
  client: DynamoDBClient,
  { timeToLiveAttribute, ...table }: TableDefinition,
): Promise<boolean> {
  let isNew = true;
  try {
    await client.send(new CreateTableCommand(table));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    isNew = false;
  }
  const { TableName } = table;
  await waitUntilTableExists(
    { client, maxWaitTime: 30, minDelay: 0.05, maxDelay: 0.5 },
    { TableName },
  );
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  if (keysOf(Table) !== keysOf(table))
    throw new StartError(
      `the data folder was written by an incompatible version of Milepost: its table ${TableName} has different keys; move the folder away, or set MILEPOST_DATA to another folder`,
    );
  await updateStream(client, table, Table);
  await updateTimeToLive(client, String(TableName), timeToLiveAttribute);
  return isNew;
}

type TableKeys = Pick<
  CreateTableCommandInput | TableDescription,
  'KeySchema' | 'GlobalSecondaryIndexes'
>;

function keysOf(table: TableKeys | undefined): string {
  const schema = (keys: readonly KeySchemaElement[] | undefined) =>
    (keys ?? []).map((key) => `${key.KeyType} ${key.AttributeName}`).join();
  const indexes = (table?.GlobalSecondaryIndexes ?? []).map(
    (index) => `${index.IndexName}(${schema(index.KeySchema)})`,
  );
  return [schema(table?.KeySchema), ...indexes.toSorted()].join(' ');
}
