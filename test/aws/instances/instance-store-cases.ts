import { commitsCases } from './instance-store/commits-cases.ts';
import { historyCases } from './instance-store/history-cases.ts';
import { statusRowsCases } from './instance-store/status-rows-cases.ts';
import type { StoreUnderTest } from './instance-store/store-under-test.ts';
import { storedCommitsCases } from './instance-store/stored-commits-cases.ts';

/** Defines the tests of `DynamoDbInstanceStore`, which run on an in-memory DynamoDB and on the embedded DynamoDB. */
export function instanceStoreCases(underTest: () => StoreUnderTest): void {
  commitsCases(underTest);
  storedCommitsCases(underTest);
  statusRowsCases(underTest);
  historyCases(underTest);
}
