import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { archiveCommits } from '../src/aws/archive/archive-commits.ts';
import { FirehoseArchive } from '../src/aws/archive/firehose-archive.ts';
import { clients } from './support/clients.ts';
import { setting } from './support/settings.ts';

const dependencies = {
  database: clients.dynamoDb(),
  instancesTable: setting('MILEPOST_INSTANCES_TABLE'),
  archive: new FirehoseArchive(clients.firehose(), setting('MILEPOST_ARCHIVE')),
  logError: (reason: string) => console.error({ message: 'commits to deliver again', reason }),
};

/** Takes the commits among changes of the instances table to the archive. */
export async function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const again = await archiveCommits(dependencies, event.Records);
  return { batchItemFailures: again === undefined ? [] : [{ itemIdentifier: again }] };
}
