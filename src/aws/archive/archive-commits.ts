import type { DynamoDBRecord } from 'aws-lambda';
import { messageOf } from '../../common/message-of.ts';
import { archiveLine, archiveRows } from '../../core/history/archive-row.ts';
import { decoded } from '../client/attribute-bytes.ts';
import type { DynamoDb } from '../client/dynamodb.ts';
import { type Item } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { commitFrom, StoredCommit, textKeysOf } from '../instances/commit-item.ts';
import { commitPrefix } from '../instances/instance-keys.ts';
import type { FirehoseArchive } from './firehose-archive.ts';

/** What archiving needs around it. */
export interface ArchiveEnvironment {
  readonly database: DynamoDb;
  readonly instancesTable: string;
  readonly archive: Pick<FirehoseArchive, 'put'>;
  readonly logError: (reason: string) => void;
}

/** So many commits are in memory at once. */
const chunk = 100;

/**
 * Archives the commits among changes of the instances table.
 *
 * @returns the sequence number of the first change that has to be delivered again, with all behind it
 */
export async function archiveCommits(
  environment: ArchiveEnvironment,
  changes: readonly DynamoDBRecord[],
): Promise<string | undefined> {
  const fresh = changes.filter(isCommit);
  for (let at = 0; at < fresh.length; at += chunk) {
    const some = fresh.slice(at, at + chunk);
    try {
      await environment.archive.put(await linesOf(environment, some));
    } catch (error) {
      environment.logError(messageOf(error));
      return some[0]!.dynamodb!.SequenceNumber!;
    }
  }
  return undefined;
}

/** The event source leaves all others out; this is for what a filter may ever let through. */
function isCommit({ eventName, dynamodb }: DynamoDBRecord): boolean {
  return eventName === 'INSERT' && dynamodb?.Keys?.sk?.S?.startsWith(commitPrefix) === true;
}

async function linesOf(
  { database, instancesTable }: ArchiveEnvironment,
  changes: readonly DynamoDBRecord[],
): Promise<string[]> {
  const commits = changes.map(({ dynamodb }) => {
    const item = decoded(structuredClone(dynamodb!.NewImage)) as Item;
    return new StoredCommit(item);
  });
  const texts = await textsOf(database, instancesTable, commits);
  const isComplete = (commit: StoredCommit) =>
    textKeysOf(commit).every((key) => texts.get(partitionIn(commit))?.has(key));
  if (commits.every(isComplete)) return commits.flatMap((commit) => lines(commit, texts));
  // Personal data was taken out of some of them since: they are archived as they are now.
  const current = await rereadAll(
    database,
    instancesTable,
    commits.filter((commit) => !isComplete(commit)),
  );
  const currentTexts = await textsOf(database, instancesTable, [...current.values()]);
  return commits.flatMap((commit) =>
    isComplete(commit)
      ? lines(commit, texts)
      : lines(current.get(nameOf(commit)) ?? commit, currentTexts),
  );
}

type Texts = ReadonlyMap<string, ReadonlyMap<string, Item>>;

const partitionIn = ({ item }: StoredCommit) => item.pk!.S!;
const nameOf = ({ item: { pk, sk } }: StoredCommit) => JSON.stringify([pk, sk]);

const lines = (commit: StoredCommit, texts: Texts) =>
  archiveRows(commitFrom(commit, texts.get(partitionIn(commit)))).map(archiveLine);

async function rereadAll(
  database: DynamoDb,
  table: string,
  commits: readonly StoredCommit[],
): Promise<Map<string, StoredCommit>> {
  const keys = commits.map(({ item: { pk, sk } }) => ({ pk: pk!, sk: sk! }));
  const found = await batchGet(database, table, keys);
  const stored = found.map((item) => new StoredCommit(item));
  return new Map(stored.map((commit) => [nameOf(commit), commit]));
}

/** The large texts of commits, which are items of their own: by instance, and by sort key. */
async function textsOf(
  database: DynamoDb,
  table: string,
  commits: readonly StoredCommit[],
): Promise<Texts> {
  const keys = commits.flatMap((commit) =>
    textKeysOf(commit).map((sk) => ({ pk: commit.item.pk!, sk: { S: sk } })),
  );
  // One text may be in several commits.
  const once = new Map(keys.map((key) => [JSON.stringify(key), key]));
  const found = once.size > 0 ? await batchGet(database, table, [...once.values()]) : [];
  const texts = new Map<string, Map<string, Item>>();
  for (const item of found) {
    const ofInstance = texts.get(item.pk!.S!) ?? new Map<string, Item>();
    texts.set(item.pk!.S!, ofInstance.set(item.sk!.S!, item));
  }
  return texts;
}
