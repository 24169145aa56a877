// Measures DynamoDB endpoints that keep their data on disk: two programs, and dynalite as Milepost
// runs it. The client is this process, the endpoint another. Medians of 3 runs, 32 requests at once.
//   npm install --no-save @dynoxide/linux-x64@1.2.1
//   npx node bench/endpoints/dynamodb.ts [dynoxide|dynalite|milepost]
import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  type Candidate,
  check,
  inFolder,
  medians,
  perSecond,
  print,
  type Running,
  settings,
  start,
} from './support.ts';

const candidates: Candidate[] = [
  {
    name: 'dynoxide',
    command: (port, folder) => [
      'node_modules/@dynoxide/linux-x64/dynoxide',
      ...['serve', '--port', `${port}`, '--db-path', `${folder}/dynamodb.sqlite`],
    ],
  },
  {
    name: 'dynalite',
    command: (port, folder) => [
      process.execPath,
      ...['node_modules/dynalite/cli.js', '--host', '127.0.0.1', '--port', `${port}`],
      ...['--path', folder, '--createTableMs', '0'],
    ],
  },
  {
    name: 'milepost',
    command: (port, folder) => [
      process.execPath,
      'src/local/endpoints/dynalite-process.ts',
      JSON.stringify({ port, path: folder }),
    ],
  },
];

const TableName = 'rows';
const WIDTH = 32;
const key = (pk: string, sk = 'COMMIT#000000000001') => ({ pk: { S: pk }, sk: { S: sk } });
const item = (pk: string, sk?: string): Record<string, AttributeValue> => ({
  ...key(pk, sk),
  status: { S: 'Active' },
  version: { N: '1' },
  state: { S: 'x'.repeat(600) },
});
const INSERT = `INSERT INTO "${TableName}" VALUE {'pk': ?, 'sk': ?, 'status': ?, 'version': ?, 'state': ?}`;

function clientOf(running: Running): DynamoDBClient {
  return new DynamoDBClient({
    ...settings,
    endpoint: running.url,
    maxAttempts: 1,
    requestHandler: { httpAgent: { keepAlive: true, maxSockets: WIDTH } },
  });
}

async function createTable(client: DynamoDBClient): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: ['pk', 'sk', 'part', 'since'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S' as const,
      })),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'latest',
          KeySchema: [
            { AttributeName: 'part', KeyType: 'HASH' },
            { AttributeName: 'since', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );
}

async function rates(candidate: Candidate, folder: string): Promise<Record<string, number>> {
  const running = await start(candidate, folder);
  const client = clientOf(running);
  try {
    await createTable(client);
    const result: Record<string, number> = { 'start, ms': running.startMs };
    result['memory idle, MB'] = running.memoryMb();
    // The first pass warms this process and the endpoint up; the second is the figure.
    const time = async (name: string, count: number, work: (index: string) => Promise<unknown>) => {
      await perSecond(count / 4, WIDTH, (index) => work(`warm-${index}`));
      const cpu = running.cpuSeconds();
      const rate = await perSecond(count, WIDTH, (index) => work(`${index}`));
      result[name] = rate;
      result[`${name.replace(' /s', '')}: its CPU, µs each`] =
        ((running.cpuSeconds() - cpu) * 1e6) / count;
    };
    await time('PutItem if not there /s', 6000, (i) =>
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
    await time('UpdateItem if, indexed row /s', 6000, (i) =>
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

/** 64 at once on one key: the condition lets exactly one through. */
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

/** Reads every page, a few rows at a time, so that paging is tried as well. */
async function all(client: DynamoDBClient, command: (from: never) => QueryCommand | ScanCommand) {
  const rows: Record<string, AttributeValue>[] = [];
  let from: Record<string, AttributeValue> | undefined;
  do {
    const page = await client.send(command(from as never) as QueryCommand);
    rows.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return rows;
}

/** The index holds exactly the table's rows, each once, newest first. */
async function indexProblems(client: DynamoDBClient): Promise<number> {
  const table = await all(
    client,
    (from) => new ScanCommand({ TableName, ExclusiveStartKey: from, ConsistentRead: true }),
  );
  let problems = 0;
  for (const part of ['s0', 's1', 's2', 's3']) {
    const rows = await all(
      client,
      (from) =>
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
    const line = (row: Record<string, AttributeValue>) => `${row['since']?.S} ${row['pk']?.S}`;
    const found = rows.map(line);
    const times = rows.map((row) => row['since']?.S ?? '');
    check(
      times.every((at, n) => n === 0 || at <= (times[n - 1] ?? '')),
      'newest first',
    );
    const wanted = new Set(table.filter((row) => row['part']?.S === part).map(line));
    // A row that the table does not have, or that is there twice; then rows that are missing.
    problems += found.filter((row) => !wanted.delete(row)).length + wanted.size;
  }
  return problems;
}

/** Updates that move rows between index partitions until the endpoint is gone. */
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

async function killed(candidate: Candidate, folder: string, round: number) {
  const before = await start(candidate, folder);
  const client = clientOf(before);
  if (round === 0) await createTable(client);
  const won = new Map<string, string>();
  const versions = new Map<string, number>();
  let over = false;
  // Pairs of lanes fight for the same keys; each winner then updates its row a few times.
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
  // Touch every row once more: what a half-done update left behind in the index must go away.
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

const columns: Record<string, Record<string, number | string>> = {};
for (const candidate of candidates.filter(({ name }) => (process.argv[2] ?? name) === name)) {
  const figures: Record<string, number | string> = await medians(3, () =>
    inFolder((folder) => rates(candidate, folder)),
  );
  const rounds = await inFolder(async (folder) => {
    const results = [];
    for (let round = 0; round < 5; round += 1) results.push(await killed(candidate, folder, round));
    return results;
  });
  const sum = (field: 'acknowledged' | 'lost' | 'problems') =>
    rounds.reduce((total, round) => total + round[field], 0);
  figures['killed with -9, 5 times: rows acknowledged'] = sum('acknowledged');
  figures['... lost, or won twice'] = sum('lost');
  figures['... index entries wrong'] = sum('problems');
  columns[candidate.name] = figures;
}
print(columns);
