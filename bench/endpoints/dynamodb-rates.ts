// Measures an endpoint's start time, memory, requests per second, and CPU time per request.
import {
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { clientOf, createTable, item, key, TableName, WIDTH } from './dynamodb-table.ts';
import { type Candidate, perSecond, start } from './support.ts';

const INSERT = `INSERT INTO "${TableName}" VALUE {'pk': ?, 'sk': ?, 'status': ?, 'version': ?, 'state': ?}`;

export async function rates(candidate: Candidate, folder: string): Promise<Record<string, number>> {
  const running = await start(candidate, folder);
  const client = clientOf(running);
  try {
    await createTable(client);
    const result: Record<string, number> = { 'start, ms': running.startMs };
    result['memory idle, MB'] = running.memoryMb();
    // The first pass, which is not measured, warms up this process and the endpoint.
    const time = async (name: string, count: number, work: (index: string) => Promise<unknown>) => {
      await perSecond(count / 4, WIDTH, (index) => work(`warm-${index}`));
      const cpu = running.cpuSeconds();
      const rate = await perSecond(count, WIDTH, (index) => work(`${index}`));
      result[name] = rate;
      result[`${name.replace(' /s', '')}: endpoint CPU, µs each`] =
        ((running.cpuSeconds() - cpu) * 1e6) / count;
    };
    await time('PutItem with a condition /s', 6000, (i) =>
      client.send(
        new PutItemCommand({
          TableName,
          Item: item(`p-${i}`),
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      ),
    );
    await time('GetItem /s', 6000, (i) =>
      client.send(
        new GetItemCommand({
          TableName,
          Key: key(`p-${Number.parseInt(i) || 0}`),
          ConsistentRead: true,
        }),
      ),
    );
    await time('UpdateItem with a condition, indexed row /s', 6000, (i) =>
      client.send(
        new UpdateItemCommand({
          TableName,
          Key: key(`p-${i}`),
          UpdateExpression: 'SET version = :new, part = :part, since = :since',
          ConditionExpression: 'attribute_not_exists(version) OR version < :new',
          ExpressionAttributeValues: {
            ':new': { N: '2' },
            ':part': { S: `s${i.length}` },
            ':since': { S: i.padStart(12, '0') },
          },
        }),
      ),
    );
    await time('Query newest /s', 6000, (i) =>
      client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
          ExpressionAttributeValues: { ':pk': { S: `p-${i}` }, ':sk': { S: 'COMMIT#' } },
          ScanIndexForward: false,
          Limit: 1,
          ConsistentRead: true,
        }),
      ),
    );
    await time('Query index, newest 25 /s', 1000, () =>
      client.send(
        new QueryCommand({
          TableName,
          IndexName: 'latest',
          KeyConditionExpression: 'part = :part',
          ExpressionAttributeValues: { ':part': { S: 's4' } },
          ScanIndexForward: false,
          Limit: 25,
        }),
      ),
    );
    const hundred = (i: string) =>
      Array.from({ length: 100 }, (_, n) =>
        key(`p-${((Number.parseInt(i) || 0) * 100 + n) % 6000}`),
      );
    await time('BatchGetItem of 100 /s', 400, (i) =>
      client.send(
        new BatchGetItemCommand({
          RequestItems: { [TableName]: { Keys: hundred(i), ConsistentRead: true } },
        }),
      ),
    );
    await time('BatchWriteItem of 25 /s', 400, (i) =>
      client.send(
        new BatchWriteItemCommand({
          RequestItems: {
            [TableName]: Array.from({ length: 25 }, (_, n) => ({
              PutRequest: { Item: item(`w-${i}-${n}`) },
            })),
          },
        }),
      ),
    );
    if (candidate.name !== 'dynalite') {
      await time('BatchExecuteStatement of 25 INSERT /s', 400, (i) =>
        client.send(
          new BatchExecuteStatementCommand({
            Statements: Array.from({ length: 25 }, (_, n) => ({
              Statement: INSERT,
              Parameters: Object.values(item(`b-${i}-${n}`)),
            })),
          }),
        ),
      );
    }
    result['memory loaded, MB'] = running.memoryMb();
    return result;
  } finally {
    client.destroy();
    await running.kill();
  }
}
