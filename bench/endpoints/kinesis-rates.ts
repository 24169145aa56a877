// Measures records per second and tests splitting and merging shards.
import { MergeShardsCommand, SplitShardCommand } from '@aws-sdk/client-kinesis';
import {
  active,
  clientOf,
  createStream,
  iterator,
  put,
  putMany,
  read,
  StreamName,
  shards,
  WIDTH,
} from './kinesis-stream.ts';
import { type Candidate, check, perSecond, start } from './support.ts';

export async function rates(candidate: Candidate, folder: string): Promise<Record<string, number>> {
  const running = await start(candidate, folder);
  const client = clientOf(running);
  try {
    await createStream(client);
    const result: Record<string, number> = { 'start, ms': running.startMs };
    result['memory idle, MB'] = running.memoryMb();
    // Put a tenth of the records with kinesis-local, which is ten times slower.
    const few = candidate.name === 'kinesis-local' ? 10 : 1;
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

/** Splits and merges shards, and verifies that the closed parent shards remain readable and no record is lost. */
export async function resharded(candidate: Candidate, folder: string): Promise<string> {
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
