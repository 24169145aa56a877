import {
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';

/** Executes commands of the AWS SDK. */
export interface Sending {
  send(command: object): Promise<unknown>;
}

/** Adapts a command executor to the interface that the stores call. */
export function dynamoDbOf(client: Sending): DynamoDb {
  const send = (command: object) => client.send(command) as Promise<never>;
  return {
    getItem: (input) => send(new GetItemCommand(input)),
    putItem: (input) => send(new PutItemCommand(input)),
    updateItem: (input) => send(new UpdateItemCommand(input)),
    deleteItem: (input) => send(new DeleteItemCommand(input)),
    query: (input) => send(new QueryCommand(input)),
    scan: (input) => send(new ScanCommand(input)),
    batchGetItem: (input) => send(new BatchGetItemCommand(input)),
    batchExecuteStatement: (input) => send(new BatchExecuteStatementCommand(input)),
  };
}
