import { execFile } from 'node:child_process';
import { glob, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  BatchExecuteStatementCommand,
  CreateTableCommand,
  type DynamoDBClient,
  ScanCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { type Endpoint, startDynamoDb } from '../../../src/aws-local/endpoints/index.ts';
import { dynamoDbOf, kill, running, temporaryFolder } from './support.ts';

const run = promisify(execFile);
const TableName = 'orders';

async function createTable(client: DynamoDBClient): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName,
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  await waitUntilTableExists({ client, minDelay: 1, maxWaitTime: 10 }, { TableName });
}

/** @throws Error if the item is not inserted, because a batch can succeed even if a statement in it fails */
async function insert(client: DynamoDBClient, id: string): Promise<void> {
  const { Responses } = await client.send(
    new BatchExecuteStatementCommand({
      Statements: [
        {
          Statement: `INSERT INTO "${TableName}" VALUE {'id': ?, 'text': ?}`,
          Parameters: [{ S: id }, { S: 'x'.repeat(1_000) }],
        },
      ],
    }),
  );
  const error = Responses?.[0]?.Error;
  if (error) throw new Error(error.Message);
}

/**
 * Limits the size of the files that a process writes. A write that exceeds the limit fails like a write to a full disk.
 */
const limitFileSize = ({ pid }: Endpoint, limit: string) =>
  run('prlimit', ['--pid', String(pid), `--fsize=${limit}:`]);

/** Returns the size of the database's log, which grows with every write. */
async function logSize(dataFolder: string): Promise<number> {
  const [log] = await Array.fromAsync(glob('dynamodb/*.log', { cwd: dataFolder }));
  return (await stat(join(dataFolder, log!))).size;
}

// Only Linux has prlimit, which changes the limits of a running process.
describe.skipIf(process.platform !== 'linux')('the DynamoDB endpoint on a full disk', () => {
  it('loses no acknowledged write, even after space becomes available', async () => {
    // Given a database whose disk becomes full during a write
    const dataFolder = await temporaryFolder();
    const endpoint = await running(startDynamoDb({ port: 0, dataFolder }));
    const client = dynamoDbOf(endpoint);
    await createTable(client);
    await insert(client, 'before');
    await limitFileSize(endpoint, String((await logSize(dataFolder)) + 500));
    await expect(insert(client, 'failed')).rejects.toBeInstanceOf(Error);

    // When space becomes available, and the process is killed after further writes
    await limitFileSize(endpoint, 'unlimited').catch(() => undefined);
    const acknowledged = ['before'];
    for (let n = 0; n < 50; n++) {
      const id = `after-${n}`;
      await insert(client, id).then(
        () => acknowledged.push(id),
        () => undefined,
      );
    }
    await kill(endpoint).catch(() => undefined);

    // Then the database contains every acknowledged write
    const restarted = dynamoDbOf(await running(startDynamoDb({ port: 0, dataFolder })));
    const { Items = [] } = await restarted.send(new ScanCommand({ TableName }));
    const found = Items.map(({ id }) => id?.S);
    expect(acknowledged.filter((id) => !found.includes(id))).toEqual([]);
  });
});
