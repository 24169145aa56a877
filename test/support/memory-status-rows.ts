import type { InstanceKey } from '../../src/core/event/event.ts';
import { type Head } from '../../src/core/history/commit.ts';
import { statusRow } from '../../src/core/status/status-row.ts';
import type { StatusRows, StoredRow } from '../../src/model-runtime/audit/status-rows.ts';
import type { MemoryInstanceStore } from './memory-instance-store.ts';

/** The status rows of an instance store in memory. */
export class MemoryStatusRows implements StatusRows {
  readonly #store: MemoryInstanceStore;
  /** Called before a row is written anew: somebody else may write it then. */
  interfere: () => void = () => {};

  constructor(store: MemoryInstanceStore) {
    this.#store = store;
  }

  read(instance: InstanceKey): Promise<StoredRow | undefined> {
    const row = this.#store.rows.get(nameOf(instance));
    return Promise.resolve(row && { version: row.version, row });
  }

  rewrite(newest: Head, seen: StoredRow | undefined): Promise<'written' | 'conflict'> {
    this.interfere();
    const row = this.#store.rows.get(nameOf(newest));
    if (row?.version !== seen?.version) return Promise.resolve('conflict');
    this.#store.rows.set(nameOf(newest), statusRow(newest, row?.parked ?? 0));
    return Promise.resolve('written');
  }
}

const nameOf = ({ model, transaction }: InstanceKey) => `${model}#${transaction}`;
