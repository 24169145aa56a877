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

/**
 * Brings up the tables; those that are there from an earlier run are kept.
 *
 * @returns whether one of them is new.
 * @throws StartError when one of those has other keys or indexes than it should.
 */
export async function createTables(
  client: DynamoDBClient,
  tables: readonly CreateTableCommandInput[],
): Promise<boolean> {
  const areNew = await Promise.all(tables.map((table) => createTable(client, table)));
  return areNew.some(Boolean);
}

async function createTable(
  client: DynamoDBClient,
  table: CreateTableCommandInput,
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
      `the data folder is from another version: its table ${TableName} has other keys; move it away`,
    );
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
