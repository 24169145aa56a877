// Tests which writes survive when SIGKILL kills the endpoint.
import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { clientOf, createTable, item, key, TableName, WIDTH } from './dynamodb-table.ts';
import { type Candidate, check, perSecond, start } from './support.ts';

type Row = Record<string, AttributeValue>;

/** Verifies that exactly one of 64 concurrent conditional writes to one key succeeds. */
async function oneWinner(client: DynamoDBClient, pk: string): Promise<void> {
  const results = await Promise.all(
    Array.from({ length: 64 }, (_, writer) => putIfNone(client, pk, `writer ${writer}`)),
  );
  check(results.filter((won) => won).length === 1, 'one winner of 64 writers');
}

async function putIfNone(client: DynamoDBClient, pk: string, status: string): Promise<boolean> {
  try {
    await client.send(
      new PutItemCommand({
        TableName,
        Item: { ...item(pk), status: { S: status }, part: { S: 's0' }, since: { S: pk } },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    );
    return true;
  } catch (error) {
    if ((error as Error).name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}

/** Reads all entries of an index partition, in small pages to test pagination. */
async function indexRows(client: DynamoDBClient, part: string): Promise<Row[]> {
  const rows: Row[] = [];
  let from: Row | undefined;
  do {
    const page: { Items?: Row[]; LastEvaluatedKey?: Row } = await client.send(
      new QueryCommand({
        TableName,
        IndexName: 'latest',
        KeyConditionExpression: 'part = :part',
        ExpressionAttributeValues: { ':part': { S: part } },
        ScanIndexForward: false,
        Limit: 7,
        ExclusiveStartKey: from,
      }),
    );
    rows.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return rows;
}

async function tableRows(client: DynamoDBClient): Promise<Row[]> {
  const rows: Row[] = [];
  let from: Row | undefined;
  do {
    const page: { Items?: Row[]; LastEvaluatedKey?: Row } = await client.send(
      new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey: from }),
    );
    rows.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return rows;
}

/** Counts errors in the index, which must contain each row of the table exactly once, newest first. */
async function indexProblems(client: DynamoDBClient): Promise<number> {
  const line = (row: Row) => `${row['since']?.S} ${row['pk']?.S}`;
  const table = await tableRows(client);
  let problems = 0;
  for (const part of ['s0', 's1', 's2', 's3']) {
    const rows = await indexRows(client, part);
    const times = rows.map((row) => row['since']?.S ?? '');
    check(
      times.every((time, n) => n === 0 || time <= (times[n - 1] ?? '')),
      'newest first',
    );
    const wanted = new Set(table.filter((row) => row['part']?.S === part).map(line));
    // Remove each row of the index from `wanted`. The remaining rows are missing from the index.
    problems += rows.filter((row) => !wanted.delete(line(row))).length + wanted.size;
  }
  return problems;
}

/** Updates a row to the given version, which moves it to another index partition. */
async function update(
  client: DynamoDBClient,
  pk: string,
  version: number,
  since = `${version}-${pk}`,
): Promise<void> {
  await client.send(
    new UpdateItemCommand({
      TableName,
      Key: key(pk),
      UpdateExpression: 'SET version = :new, part = :part, since = :since',
      ConditionExpression: 'version = :old',
      ExpressionAttributeValues: {
        ':old': { N: `${version - 1}` },
        ':new': { N: `${version}` },
        ':part': { S: `s${version % 4}` },
        ':since': { S: since },
      },
    }),
  );
}

export async function killed(candidate: Candidate, folder: string, round: number) {
  const before = await start(candidate, folder);
  const client = clientOf(before);
  if (round === 0) await createTable(client);
  const won = new Map<string, string>();
  const versions = new Map<string, number>();
  let over = false;
  // Pairs of lanes compete for the same keys. Each winner then updates its row a few times.
  const lane = async (number: number) => {
    for (let n = 0; !over; n += 1) {
      const pk = `k${round}-${number >> 1}-${n}`;
      try {
        if (!(await putIfNone(client, pk, `lane ${number}`))) continue;
        won.set(pk, `lane ${number}`);
        versions.set(pk, 1);
        for (let version = 2; version <= 4; version += 1) {
          await update(client, pk, version);
          versions.set(pk, version);
        }
      } catch (error) {
        if (!over) throw error;
      }
    }
  };
  const lanes = Promise.all(Array.from({ length: WIDTH }, (_, number) => lane(number)));
  while (won.size < 500) await new Promise((resolve) => setTimeout(resolve, 1));
  over = true;
  await before.kill();
  await lanes;
  client.destroy();

  const after = await start(candidate, folder);
  const again = clientOf(after);
  let lost = 0;
  for (const [pk, winner] of won) {
    const { Item } = await again.send(
      new GetItemCommand({ TableName, Key: key(pk), ConsistentRead: true }),
    );
    const kept =
      Item?.['status']?.S === winner && Number(Item['version']?.N) >= (versions.get(pk) ?? 1);
    if (!kept) lost += 1;
  }
  await oneWinner(again, `contended-${round}`);
  // Update every row once more, which must remove the index entries that interrupted updates left behind.
  await perSecond(won.size, WIDTH, async (n) => {
    const pk = [...won.keys()][n] ?? '';
    const { Item } = await again.send(
      new GetItemCommand({ TableName, Key: key(pk), ConsistentRead: true }),
    );
    await update(again, pk, Number(Item?.['version']?.N) + 1, `touched-${pk}`);
  });
  const problems = await indexProblems(again);
  again.destroy();
  await after.kill();
  return { acknowledged: won.size, lost, problems };
}
