// Measures the two Kinesis endpoints, both keeping their data on disk:
//   npx node bench/endpoints/kinesis.ts [kinesalite|kinesis-local]
// The client is this process, the endpoint another. Medians of 3 runs, 4 shards.
import {
  CreateStreamCommand,
  DescribeStreamSummaryCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  ListShardsCommand,
  MergeShardsCommand,
  PutRecordCommand,
  PutRecordsCommand,
  SplitShardCommand,
} from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
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

const durations = [
  ...['CREATE_STREAM', 'SPLIT_SHARD', 'MERGE_SHARDS', 'UPDATE_SHARD_COUNT', 'DELETE_STREAM'],
].map((name) => [`${name}_DURATION`, '0ms'] as const);

const candidates: Candidate[] = [
  {
    name: 'kinesalite',
    command: (port, folder) => [
      process.execPath,
      ...['node_modules/kinesalite/cli.js', '--port', `${port}`, '--path', folder],
      ...['--createStreamMs', '0', '--updateStreamMs', '0', '--shardLimit', '1000'],
    ],
  },
  {
    name: 'kinesis-local',
    command: () => [process.execPath, 'node_modules/kinesis-local/main.js'],
    variables: (port, folder) => ({
      ...Object.fromEntries(durations),
      KINESIS_MOCK_PLAIN_PORT: `${port}`,
      KINESIS_MOCK_TLS_PORT: `${port + 1}`,
      KINESIS_MOCK_CERT_PATH: 'node_modules/kinesis-local/server.json',
      SHOULD_PERSIST_DATA: 'true',
      PERSIST_PATH: folder,
      PERSIST_INTERVAL: '1s',
      LOG_LEVEL: 'ERROR',
      SHARD_LIMIT: '1000',
    }),
  },
];

const StreamName = 'milepost-events';
const WIDTH = 32;
const event = (id: string) =>
  new TextEncoder().encode(
    JSON.stringify({ specversion: '1.0', id, type: 'account.created', modelid: 'activation' }),
  );
const idOf = (data: Uint8Array | undefined) =>
  (JSON.parse(new TextDecoder().decode(data)) as { id: string }).id;

function clientOf(running: Running): KinesisClient {
  return new KinesisClient({
    ...settings,
    endpoint: running.url,
    maxAttempts: 1,
    // HTTP/1.1: the client's own default is HTTP/2, which these endpoints do not speak.
    requestHandler: new NodeHttpHandler({ httpAgent: { keepAlive: true, maxSockets: WIDTH } }),
  });
}

async function createStream(client: KinesisClient): Promise<void> {
  await client.send(new CreateStreamCommand({ StreamName, ShardCount: 4 }));
  await active(client);
}

async function active(client: KinesisClient): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const summary = await client.send(new DescribeStreamSummaryCommand({ StreamName }));
    if (summary.StreamDescriptionSummary?.StreamStatus === 'ACTIVE') return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('The stream is not active');
}

async function shards(client: KinesisClient) {
  return (await client.send(new ListShardsCommand({ StreamName }))).Shards ?? [];
}

async function iterator(client: KinesisClient, ShardId: string, after?: string): Promise<string> {
  const { ShardIterator = '' } = await client.send(
    new GetShardIteratorCommand({
      StreamName,
      ShardId,
      ...(after === undefined
        ? { ShardIteratorType: 'TRIM_HORIZON' }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', StartingSequenceNumber: after }),
    }),
  );
  return ShardIterator;
}

interface Read {
  readonly id: string;
  readonly sequence: string;
}

/** Reads from an iterator until two answers in a row are empty, or the shard is closed. */
async function read(client: KinesisClient, from: string, Limit = 1000) {
  const records: Read[] = [];
  let next: string | undefined = from;
  for (let empty = 0; next !== undefined && empty < 3; ) {
    const page: {
      Records?: { Data?: Uint8Array; SequenceNumber?: string }[];
      NextShardIterator?: string;
    } = await client.send(new GetRecordsCommand({ ShardIterator: next, Limit }));
    for (const { Data, SequenceNumber = '' } of page.Records ?? []) {
      records.push({ id: idOf(Data), sequence: SequenceNumber });
    }
    empty = page.Records?.length ? 0 : empty + 1;
    next = page.NextShardIterator;
  }
  return { records, closed: next === undefined };
}

const put = (client: KinesisClient, id: string) =>
  client.send(new PutRecordCommand({ StreamName, PartitionKey: id, Data: event(id) }));

const putMany = (client: KinesisClient, ids: readonly string[]) =>
  client.send(
    new PutRecordsCommand({
      StreamName,
      Records: ids.map((id) => ({ PartitionKey: id, Data: event(id) })),
    }),
  );

async function rates(candidate: Candidate, folder: string): Promise<Record<string, number>> {
  const running = await start(candidate, folder);
  const client = clientOf(running);
  try {
    await createStream(client);
    const result: Record<string, number> = { 'start, ms': running.startMs };
    result['memory idle, MB'] = running.memoryMb();
    const few = candidate.name === 'kinesis-local' ? 10 : 1; // it is that much slower
    await perSecond(1000 / few, WIDTH, (index) => put(client, `warm-${index}`));
    result['PutRecord /s'] = await perSecond(6000 / few, WIDTH, (index) =>
      put(client, `p-${index}`),
    );
    const requests = 100 / few;
    const many = await perSecond(requests, 4, (index) =>
      putMany(
        client,
        Array.from({ length: 500 }, (_, n) => `m-${index}-${n}`),
      ),
    );
    result['PutRecords, records /s'] = many * 500;
    const began = performance.now();
    let records = 0;
    for (const { ShardId = '' } of await shards(client)) {
      records += (await read(client, await iterator(client, ShardId))).records.length;
    }
    check(records === 1000 / few + 6000 / few + requests * 500, 'every record is read once');
    result['GetRecords, records /s'] = (records * 1000) / (performance.now() - began);
    result['memory loaded, MB'] = running.memoryMb();
    return result;
  } finally {
    client.destroy();
    await running.kill();
  }
}

async function killed(candidate: Candidate, folder: string, round: number) {
  const before = await start(candidate, folder);
  const client = clientOf(before);
  if (round === 0) await createStream(client);
  const acknowledged = new Map<string, { shard: string; sequence: string }>();
  let over = false;
  const lane = async (number: number) => {
    for (let n = 0; !over; n += 1) {
      const ids = Array.from(
        { length: number % 2 === 0 ? 1 : 20 },
        (_, i) => `${round}-${number}-${n}-${i}`,
      );
      try {
        const records =
          ids.length === 1
            ? [await put(client, ids[0] ?? '')]
            : ((await putMany(client, ids)).Records ?? []);
        records.forEach(({ ShardId = '', SequenceNumber = '' }, index) => {
          acknowledged.set(ids[index] ?? '', { shard: ShardId, sequence: SequenceNumber });
        });
      } catch (error) {
        if (!over) throw error;
      }
    }
  };
  const lanes = Promise.all(Array.from({ length: 16 }, (_, number) => lane(number)));
  while (acknowledged.size < 500) await new Promise((resolve) => setTimeout(resolve, 1));
  const early = [...acknowledged.values()][100] ?? { shard: '', sequence: '' };
  const kept = await iterator(client, early.shard, early.sequence);
  while (acknowledged.size < 1000) await new Promise((resolve) => setTimeout(resolve, 1));
  over = true;
  await before.kill();
  await lanes;
  client.destroy();

  const after = await start(candidate, folder);
  const again = clientOf(after);
  const summary = await again.send(new DescribeStreamSummaryCommand({ StreamName }));
  check(summary.StreamDescriptionSummary?.StreamStatus === 'ACTIVE', 'the stream is still active');
  const found = new Map<string, Read[]>();
  const times = new Map<string, number>();
  for (const { ShardId = '' } of await shards(again)) {
    const { records } = await read(again, await iterator(again, ShardId));
    found.set(ShardId, records);
    for (const { id } of records) times.set(id, (times.get(id) ?? 0) + 1);
    records.forEach(({ sequence }, n) =>
      check(n === 0 || BigInt(sequence) > BigInt(records[n - 1]?.sequence ?? 0), 'in order'),
    );
  }
  let lost = 0;
  for (const id of acknowledged.keys()) if (times.get(id) !== 1) lost += 1;
  const twice = [...times.values()].filter((count) => count > 1).length;
  const rest = (found.get(early.shard) ?? []).filter(
    ({ sequence }) => BigInt(sequence) > BigInt(early.sequence),
  );
  const same = async (from: string) =>
    JSON.stringify((await read(again, from)).records) === JSON.stringify(rest);
  const iterators =
    (await same(kept)) && (await same(await iterator(again, early.shard, early.sequence)));
  let increasing = true;
  for (let n = 0; n < 40; n += 1) {
    const { ShardId = '', SequenceNumber = '' } = await put(again, `${round}-after-${n}`);
    const last = found.get(ShardId)?.at(-1)?.sequence ?? '0';
    increasing &&= BigInt(SequenceNumber) > BigInt(last);
  }
  again.destroy();
  await after.kill();
  return { acknowledged: acknowledged.size, lost, twice, iterators, increasing };
}

/** Split, then merge: the parents are readable to their end and then closed, nothing is lost. */
async function resharded(candidate: Candidate, folder: string): Promise<string> {
  const running = await start(candidate, folder);
  const client = clientOf(running);
  try {
    await createStream(client);
    const ids = (name: string) => Array.from({ length: 200 }, (_, n) => `${name}-${n}`);
    await putMany(client, ids('before'));
    const parent = (await shards(client))[1];
    const { StartingHashKey = '0', EndingHashKey = '0' } = parent?.HashKeyRange ?? {};
    await client.send(
      new SplitShardCommand({
        StreamName,
        ShardToSplit: parent?.ShardId,
        NewStartingHashKey: `${(BigInt(StartingHashKey) + BigInt(EndingHashKey)) / 2n}`,
      }),
    );
    await active(client);
    await putMany(client, ids('split'));
    const [one, other] = (await shards(client)).filter((s) => s.ParentShardId === parent?.ShardId);
    await client.send(
      new MergeShardsCommand({
        StreamName,
        ShardToMerge: one?.ShardId,
        AdjacentShardToMerge: other?.ShardId,
      }),
    );
    await active(client);
    await putMany(client, ids('merged'));
    const seen = new Set<string>();
    let closed = 0;
    const list = await shards(client);
    for (const { ShardId = '' } of list) {
      const shard = await read(client, await iterator(client, ShardId));
      for (const { id } of shard.records) seen.add(id);
      if (shard.closed) closed += 1;
    }
    const merged = list.find((s) => s.AdjacentParentShardId !== undefined);
    check(
      list.length === 7 && closed === 3 && merged !== undefined,
      `7 shards, 3 closed: ${closed}`,
    );
    check(seen.size === 600, `600 records: ${seen.size}`);
    return 'yes';
  } catch (error) {
    return `no: ${(error as Error).message}`;
  } finally {
    client.destroy();
    await running.kill();
  }
}

const columns: Record<string, Record<string, number | string>> = {};
for (const candidate of candidates.filter(({ name }) => (process.argv[2] ?? name) === name)) {
  const figures: Record<string, number | string> = await medians(3, () =>
    inFolder((folder) => rates(candidate, folder)),
  );
  figures['split and merge: parents readable, then closed'] = await inFolder((folder) =>
    resharded(candidate, folder),
  );
  const rounds = await inFolder(async (folder) => {
    const results = [];
    for (let round = 0; round < 5; round += 1) results.push(await killed(candidate, folder, round));
    return results;
  });
  const sum = (field: 'acknowledged' | 'lost' | 'twice') =>
    rounds.reduce((total, round) => total + round[field], 0);
  const every = (field: 'iterators' | 'increasing') =>
    rounds.every((round) => round[field]) ? 'yes' : 'no';
  figures['killed with -9, 5 times: records acknowledged'] = sum('acknowledged');
  figures['... lost'] = sum('lost');
  figures['... there twice'] = sum('twice');
  figures['... iterators go on where they were'] = every('iterators');
  figures['... sequence numbers still increase'] = every('increasing');
  columns[candidate.name] = figures;
}
print(columns);
