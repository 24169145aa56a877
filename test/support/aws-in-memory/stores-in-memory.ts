import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import type { Kms } from '../../../src/aws/client/kms.ts';
import { DynamoDbDeadLetterStore } from '../../../src/aws/dead-letters/dynamodb-dead-letter-store.ts';
import { DynamoDbCustomerLinks } from '../../../src/aws/instances/dynamodb-customer-links.ts';
import { KmsDataKeys } from '../../../src/aws/keys/kms-data-keys.ts';
import { DynamoDbObservationStore } from '../../../src/aws/monitoring/dynamodb-observation-store.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type { DeadLetter } from '../../../src/core/event/dead-letter.ts';
import type { DeadLetterStore } from '../../../src/stores/dead-letter-store.ts';
import { MemoryDynamoDb } from './memory-dynamodb.ts';
import { MemoryKms } from './memory-kms.ts';

export const customerLinksInMemory = (
  clock: Clock,
  { dynamoDb }: { readonly dynamoDb: DynamoDb } = new MemoryDynamoDb({ links: {} }),
): DynamoDbCustomerLinks => new DynamoDbCustomerLinks(dynamoDb, 'links', clock);

export const observationStoreInMemory = (
  { dynamoDb }: { readonly dynamoDb: DynamoDb } = new MemoryDynamoDb({ instances: {} }),
): DynamoDbObservationStore => new DynamoDbObservationStore(dynamoDb, 'instances');

export const deadLettersInMemory = (
  clock: Clock,
  { dynamoDb }: { readonly dynamoDb: DynamoDb } = new MemoryDynamoDb({ letters: {} }),
): DynamoDbDeadLetterStore => new DynamoDbDeadLetterStore(dynamoDb, 'letters', clock);

/** Reads all dead letters of a store sorted by id, oldest first. */
export async function allDeadLetters(store: DeadLetterStore): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ limit: 100, ...(cursor && { cursor }) });
    letters.push(...page.items);
    ({ cursor } = page);
  } while (cursor);
  return letters.toReversed();
}

/** The table of data keys, as defined for a `MemoryDynamoDb`. */
export const dataKeysTable = { keys: { key: { partition: 'pk' } } } as const;

/** Creates data keys of instances in an in-memory DynamoDB, encrypted by an in-memory KMS. */
export const dataKeysInMemory = (
  clock: Clock,
  kms: Kms = new MemoryKms(),
  { dynamoDb: database }: { readonly dynamoDb: DynamoDb } = new MemoryDynamoDb(dataKeysTable),
): KmsDataKeys =>
  new KmsDataKeys({
    database,
    table: 'keys',
    kms,
    keyArn: 'arn:aws:kms:us-east-1:000000000000:key/1',
    clock,
  });
