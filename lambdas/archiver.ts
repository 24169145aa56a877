import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { type ArchiverDependencies, archiveCommits } from '../src/archiver/archive-commits.ts';
import { archiveLine } from '../src/aws/archive/archive-line.ts';
import { FirehoseArchive } from '../src/aws/archive/firehose-archive.ts';
import {
  type CommitRecord,
  readStreamedCommits,
  streamedCommits,
} from '../src/aws/archive/streamed-commits.ts';
import { clients } from './support/clients.ts';
import { setting } from './support/settings.ts';

const database = clients.dynamoDb();
const instancesTable = setting('MILEPOST_INSTANCES_TABLE');
const archive = new FirehoseArchive(clients.firehose(), setting('MILEPOST_ARCHIVE'));
const dependencies: ArchiverDependencies<CommitRecord> = {
  readCommits: (commits) => readStreamedCommits(database, instancesTable, commits),
  putRows: (rows) => archive.put(rows.map(archiveLine)),
  logError: (reason) => console.error({ message: 'commits to retry', reason }),
};

/** Archives the commits among the changes to the instances table. */
export async function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const again = await archiveCommits(dependencies, streamedCommits(event.Records));
  return { batchItemFailures: again === undefined ? [] : [{ itemIdentifier: again }] };
}
