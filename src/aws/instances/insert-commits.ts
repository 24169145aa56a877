import type { Commit } from '../../core/history/commit.ts';
import type { SettledResult } from '../../stores/settled-result.ts';
import type { StatementResult } from '../dynamodb/execute-statements.ts';
import { insertItem, insertSmallItems } from '../dynamodb/insert-items.ts';
import { tooLargeForItem } from '../dynamodb/item-size.ts';
import { settleRemaining } from '../dynamodb/settle.ts';
import { type CommitItems, toItems } from './commit-item.ts';
import type { InstancesTable } from './instances-table.ts';

/** Inserts commits and their bodies. The result is `refused` if a commit with the same version exists. */
export async function insertCommits(
  table: InstancesTable,
  commits: readonly Commit[],
): Promise<SettledResult<StatementResult>[]> {
  const items = commits.map(toItems);
  // A commit's bodies must be written first.
  const alone = items.map(({ commit, bodies }) => (bodies.length === 0 ? commit : undefined));
  const tried = await insertSmallItems(table.client, table.table, alone);
  // Each throttled item is retried in a separate request, with the client's backoff.
  return settleRemaining(items, tried, (each) => insertCommit(table, each));
}

async function insertCommit(
  { client, table }: InstancesTable,
  { commit, bodies }: CommitItems,
): Promise<StatementResult> {
  const tooLarge = tooLargeForItem(commit, `the commit ${commit.pk!.S} ${commit.sk!.S}`);
  if (tooLarge) throw tooLarge;
  for (const item of bodies) await client.putItem({ TableName: table, Item: item });
  return insertItem(client, table, commit);
}
