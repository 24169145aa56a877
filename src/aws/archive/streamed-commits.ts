import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import type { StreamedCommit } from '../../archiver/archive-commits.ts';
import type { Commit } from '../../core/history/commit.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { decodeBytes } from '../client/transport/attribute-bytes.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { bodyKeysOf, commitFrom, StoredCommit } from '../instances/commit-item.ts';
import { commitPrefix } from '../instances/instance-keys.ts';

/** A new commit from the table's DynamoDB stream. */
export interface CommitRecord extends StreamedCommit {
  /** The commit's item, with binary attributes in Base64. */
  readonly image: Readonly<Record<string, AttributeValue>>;
}

/**
 * Selects the new commits among the records from the table's stream. The event source mapping's filter already excludes
 * all other records.
 */
export function streamedCommits(records: readonly DynamoDBRecord[]): CommitRecord[] {
  return records.flatMap(({ eventName, dynamodb }) => {
    const isCommit = dynamodb?.Keys?.sk?.S?.startsWith(commitPrefix) === true;
    return eventName === 'INSERT' && isCommit
      ? [{ sequence: dynamodb.SequenceNumber!, image: dynamodb.NewImage! }]
      : [];
  });
}

/** Reads commits from stream records, including bodies, which are stored in separate items. */
export async function readStreamedCommits(
  database: DynamoDb,
  table: string,
  streamed: readonly CommitRecord[],
): Promise<Commit[]> {
  const commits = streamed.map(
    ({ image }) => new StoredCommit(decodeBytes(structuredClone(image)) as Item),
  );
  const bodies = await readBodies(database, table, commits);
  const isComplete = (commit: StoredCommit) =>
    bodyKeysOf(commit).every((key) => bodies.get(partitionOf(commit))?.has(key));
  const incomplete = commits.filter((commit) => !isComplete(commit));
  // If bodies are missing, personal data was erased from the commit after the stream received it. The commit's current
  // item is archived instead.
  const current = await readAgain(database, table, incomplete);
  const currentBodies = await readBodies(database, table, [...current.values()]);
  return commits.map((commit) =>
    isComplete(commit)
      ? whole(commit, bodies)
      : whole(current.get(nameOf(commit)) ?? commit, currentBodies),
  );
}

/** The bodies of commits, by instance and sort key. */
type Bodies = ReadonlyMap<string, ReadonlyMap<string, Item>>;

const partitionOf = ({ item }: StoredCommit) => item.pk!.S!;
const nameOf = ({ item: { pk, sk } }: StoredCommit) => JSON.stringify([pk, sk]);

const whole = (commit: StoredCommit, bodies: Bodies) =>
  commitFrom(commit, bodies.get(partitionOf(commit)));

async function readAgain(
  database: DynamoDb,
  table: string,
  commits: readonly StoredCommit[],
): Promise<Map<string, StoredCommit>> {
  const keys = commits.map(({ item: { pk, sk } }) => ({ pk: pk!, sk: sk! }));
  const found = await batchGet(database, table, keys);
  return new Map(
    found.map((item) => new StoredCommit(item)).map((commit) => [nameOf(commit), commit]),
  );
}

async function readBodies(
  database: DynamoDb,
  table: string,
  commits: readonly StoredCommit[],
): Promise<Bodies> {
  const keys = commits.flatMap((commit) =>
    bodyKeysOf(commit).map((sk) => ({ pk: commit.item.pk!, sk: { S: sk } })),
  );
  // Several commits can share a body.
  const distinct = new Map(keys.map((key) => [JSON.stringify(key), key]));
  const bodies = new Map<string, Map<string, Item>>();
  for (const item of await batchGet(database, table, [...distinct.values()])) {
    const ofInstance = bodies.get(item.pk!.S!) ?? new Map<string, Item>();
    bodies.set(item.pk!.S!, ofInstance.set(item.sk!.S!, item));
  }
  return bodies;
}
