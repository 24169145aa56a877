import { DynamoDBClient, ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { ServiceClient } from './service.ts';

/** A model in the format of the API. */
export interface ShownModel {
  readonly id: string;
  readonly functionArn: string;
}

/** Adds models to a service's registry without the registrar, even if they have no function. */
export async function modelRegistry(
  service: ServiceClient,
): Promise<(model: ShownModel) => Promise<void>> {
  const { dynamodb: endpoint, region } = service.ready;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const database = new DynamoDBClient({ endpoint, region, credentials });
  const { TableNames = [] } = await database.send(new ListTablesCommand({}));
  const TableName = TableNames.find((name) => name.includes('Registry'));
  return async (model) => {
    await database.send(new PutItemCommand({ TableName, Item: marshall(model) }));
  };
}
