// Tests which records survive when SIGKILL kills the endpoint.
import { DescribeStreamSummaryCommand } from '@aws-sdk/client-kinesis';
import {
  clientOf,
  createStream,
  iterator,
  put,
  putMany,
  type Read,
  read,
  StreamName,
  shards,
} from './kinesis-stream.ts';
import { type Candidate, check, start } from './support.ts';

export async function killed(candidate: Candidate, folder: string, round: number) {
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
