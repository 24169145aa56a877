import { DynamoDBClient, ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { ServiceClient } from '../service/service.ts';

/** A model as returned by the API. */
export interface ShownModel {
  readonly id: string;
  readonly functionArn: string;
}

/**
 * Returns a function that puts models into a service's registry without the registrar, even models without a function.
 */
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
