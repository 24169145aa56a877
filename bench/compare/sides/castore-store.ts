import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventStore } from '@castore/core';
import { DynamoDBSingleTableEventStorageAdapter } from '@castore/event-storage-adapter-dynamodb';
import type { Account } from '../../../models/activation/model.ts';
import type { WorkEvent } from '../../support/work.ts';
import { reduce } from '../reducer.ts';
import type { Store } from '../store/store.ts';

const tableName = 'events';

/** An account folded from events, with the version of the last event. */
interface Aggregate {
  readonly aggregateId: string;
  readonly version: number;
  readonly account: Account;
}

/**
 * Opens a store that uses Castore on DynamoDB. To apply an event, the store reads and folds the aggregate's events, and
 * then pushes the new event.
 */
export async function openCastore(endpoint: string): Promise<Store> {
  const dynamoDBClient = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  await createTable(dynamoDBClient);
  const accounts = new EventStore<Aggregate, WorkEvent>({
    eventStoreId: 'ACTIVATION',
    eventTypes: [],
    reducer: (before, { aggregateId, version, payload }) => ({
      aggregateId,
      version,
      account: reduce(before?.account, payload),
    }),
    eventStorageAdapter: new DynamoDBSingleTableEventStorageAdapter({ tableName, dynamoDBClient }),
  });
  return {
    lanes: 32,
    async apply(event) {
      const aggregateId = event.transactionid;
      const { aggregate: prevAggregate } = await accounts.getAggregate(aggregateId);
      const version = (prevAggregate?.version ?? 0) + 1;
      const { type, time: timestamp } = event;
      await accounts.pushEvent(
        { aggregateId, version, type, timestamp, payload: event },
        { prevAggregate },
      );
    },
    async read(transaction) {
      const { aggregate } = await accounts.getAggregate(transaction);
      return aggregate?.account;
    },
    async close() {
      dynamoDBClient.destroy();
    },
  };
}

/** Creates the table that Castore's adapter requires. */
async function createTable(client: DynamoDBClient): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'aggregateId', AttributeType: 'S' },
        { AttributeName: 'version', AttributeType: 'N' },
        { AttributeName: 'eventStoreId', AttributeType: 'S' },
        { AttributeName: 'timestamp', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'aggregateId', KeyType: 'HASH' },
        { AttributeName: 'version', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'initialEvents',
          KeySchema: [
            { AttributeName: 'eventStoreId', KeyType: 'HASH' },
            { AttributeName: 'timestamp', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    }),
  );
}
