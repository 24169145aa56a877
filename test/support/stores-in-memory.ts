import type { DynamoDb } from '../../src/aws/client/dynamodb.ts';
import { DynamoDbCustomerLinks } from '../../src/aws/instances/dynamodb-customer-links.ts';
import { DynamoDbObservationStore } from '../../src/aws/monitoring/dynamodb-observation-store.ts';
import type { Clock } from '../../src/common/clock.ts';
import { MemoryDynamoDb } from './memory-dynamodb.ts';

/** The links of customers in a DynamoDB in memory. */
export const customerLinksInMemory = (
  clock: Clock,
  { dynamoDb }: { readonly dynamoDb: DynamoDb } = new MemoryDynamoDb({ links: {} }),
): DynamoDbCustomerLinks => new DynamoDbCustomerLinks(dynamoDb, 'links', clock);

/** What was seen of models in a DynamoDB in memory. */
export const observationStoreInMemory = (
  { dynamoDb }: { readonly dynamoDb: DynamoDb } = new MemoryDynamoDb({ instances: {} }),
): DynamoDbObservationStore => new DynamoDbObservationStore(dynamoDb, 'instances');
