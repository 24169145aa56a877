import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { type ArchiverDependencies, archiveCommits } from '../src/archiver/archive-commits.ts';
import { archiveLine } from '../src/aws/archive/archive-line.ts';
import { FirehoseArchive } from '../src/aws/archive/firehose-archive.ts';
import {
  type CommitRecord,
  readStreamedCommits,
  streamedCommits,
} from '../src/aws/archive/streamed-commits.ts';
import { systemClock } from '../src/common/clock.ts';
import { Deadline } from '../src/common/deadline.ts';
import { clients } from './support/clients.ts';
import { unarchivedCommitMetric } from './support/monitoring/metrics.ts';
import { setting } from './support/settings.ts';

const database = clients.dynamoDb();
const instancesTable = setting('MILEPOST_INSTANCES_TABLE');
const archive = new FirehoseArchive(clients.firehose(), setting('MILEPOST_ARCHIVE'));
const dependencies: ArchiverDependencies<CommitRecord> = {
  readCommits: (commits) => readStreamedCommits(database, instancesTable, commits),
  putRows: (rows) => archive.put(rows.map(archiveLine)),
  logError: (reason) => console.error({ message: 'commits to retry', reason }),
  logUnreadable({ image: { pk, sk } }, reason) {
    console.error({ message: 'unreadable commit', pk: pk?.S, sk: sk?.S, reason });
    unarchivedCommitMetric();
  },
};

/** How much of the invocation's time to reserve for the response, in milliseconds. */
const timeToAnswer = 5_000;

/** Archives the commits among the changes to the instances table. */
export async function handler(
  event: DynamoDBStreamEvent,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<DynamoDBBatchResponse> {
  const deadline = Deadline.in(systemClock, context.getRemainingTimeInMillis() - timeToAnswer);
  const again = await archiveCommits(dependencies, streamedCommits(event.Records), deadline);
  return { batchItemFailures: again === undefined ? [] : [{ itemIdentifier: again }] };
}
