import type { Head } from '../../core/history/commit.ts';
import type { SettledResult } from '../../stores/settled-result.ts';
import { executeStatements, type StatementResult } from '../dynamodb/execute-statements.ts';
import { settleEach, settleRemaining } from '../dynamodb/settle.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import { writeKeyIndex } from '../lists/key-index.ts';
import { IndexPartitions } from './index-partitions.ts';
import type { InstancesTable } from './instances-table.ts';
import type { Partitions } from './partition-counts.ts';
import { statusStatement, statusUpdate } from './status-updates.ts';
import { StatusesInUse } from './statuses-in-use.ts';

/** Writes the status rows of instances and their key index items after commits. */
export class StatusRowWriter {
  readonly #table: InstancesTable;
  readonly #partitions: IndexPartitions;
  readonly #statuses: StatusesInUse;

  constructor(table: InstancesTable) {
    this.#table = table;
    this.#partitions = new IndexPartitions(table);
    this.#statuses = new StatusesInUse(table);
  }

  async write(heads: readonly Head[]): Promise<SettledResult<void>[]> {
    if (heads.length === 0) return [];
    const [settled] = await settleEach([heads], (every) => this.#prepare(every));
    if ('error' in settled!) return heads.map(() => settled);
    const partitions = settled!.value;
    const found = await writeKeyIndex(this.#table.client, this.#table.table, heads, partitions);
    const isFound = (_: Head, n: number) => 'value' in found[n]!;
    const written = (await this.#writeRows(heads.filter(isFound), partitions)).values();
    return found.map((each) => ('error' in each ? each : written.next().value!));
  }

  /** Prepares the indexes for the heads' rows and returns the numbers of partitions that the rows need. */
  async #prepare(heads: readonly Head[]): Promise<Partitions> {
    const rows = heads.map(({ model, description }) => ({ model, status: description.status }));
    const [partitions] = await Promise.all([
      this.#partitions.toWrite(),
      this.#statuses.record(rows),
    ]);
    return partitions;
  }

  async #writeRows(heads: readonly Head[], partitions: Partitions): Promise<SettledResult<void>[]> {
    const { client, table } = this.#table;
    const statements = heads.map((head) => statusStatement(table, head, partitions));
    const batched = await executeStatements(client, statements);
    const isDone = (answer: SettledResult<StatementResult>) =>
      'value' in answer && answer.value === 'done';
    const tried = batched.map((answer) => (isDone(answer) ? { value: undefined } : undefined));
    return settleRemaining(heads, tried, async (head) => {
      const update = statusUpdate(table, head, partitions);
      await tryConditionalWrite(() => client.updateItem(update));
    });
  }
}
