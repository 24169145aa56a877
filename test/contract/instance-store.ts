import { commitsContract } from './instance-store/commits-contract.ts';
import { historyContract } from './instance-store/history-contract.ts';
import { statusRowsContract } from './instance-store/status-rows-contract.ts';
import type { StoreUnderTest } from './instance-store/store-under-test.ts';
import { storedCommitsContract } from './instance-store/stored-commits-contract.ts';

/** The contract of every `InstanceStore`. */
export function instanceStoreContract(underTest: () => StoreUnderTest): void {
  commitsContract(underTest);
  storedCommitsContract(underTest);
  statusRowsContract(underTest);
  historyContract(underTest);
}
