import { setTimeout as pause } from 'node:timers/promises';
import { ListShardsCommand, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type InstanceKey, isInstanceKey } from '../../src/core/event/event.ts';
import type { JsonObject } from '../../src/core/json/json.ts';
import { deployedFolder } from '../support/deployed-folder.ts';
import { instancePath, Service } from '../support/service.ts';
import { must, nameOf, read, shown } from './accounts.ts';
import { anyBytes } from './any-bytes.ts';
import { anyEventText } from './any-event.ts';
import { asBytes } from './any-text.ts';
import { runs, seed, timeLimit } from './settings.ts';

/** As many as the local stack takes in a few seconds. */
const records = Math.ceil(runs / 10);
const recordsInARequest = 100;

/** Records of one key stay in order, and a shard's keys are worked off beside each other. */
const keys = ['k1', 'k2', 'k3'];

interface Sent {
  readonly data: Uint8Array;
  readonly key: string;
  /** The shard that it is to come to, whatever its key, by a hash key in it. */
  readonly hashKey: string;
}

let service: Service;
beforeAll(async () => {
  service = await Service.start({ MILEPOST_DATA: await deployedFolder() });
});
afterAll(async () => {
  await service.stop();
});

it('any bytes on the stream end in one outcome, and block no shard', {
  timeout: timeLimit,
}, async () => {
  const lanes = (await startsOfShards()).flatMap((hashKey) =>
    keys.map((key) => ({ hashKey, key })),
  );
  const sent = fc
    .sample(fc.oneof(anyBytes, asBytes(anyEventText)), { seed, numRuns: records })
    // A record of the stream has something in it; a few that are large are enough.
    .filter((data, index) => data.byteLength > 0 && (data.byteLength < 20_000 || index < 300))
    .map((data, index) => ({ data, ...lanes[index % lanes.length]! }));
  const first = behind('first', lanes);
  const second = behind('second', lanes);
  await put([...sent, ...first]);
  await untilApplied('first', lanes.length);
  // Where these are applied, the batches before them are done with.
  await put(second);
  await untilApplied('second', lanes.length);

  expect(await whenSettled([...sent, ...first, ...second])).toEqual({ lost: [], made: [] });
});

/** How records and outcomes compare in the end: at once, unless some had to be delivered again. */
async function whenSettled(sent: readonly Sent[]): Promise<{ lost: string[]; made: string[] }> {
  for (let tries = 0; ; tries++) {
    const { lost, made } = await compare(sent);
    if (lost.length === 0 || tries === 50) return { lost: lost.map(shown), made };
    await pause(200);
  }
}

/** For each lane an event, behind all that is there already. */
function behind(name: string, lanes: readonly Omit<Sent, 'data'>[]): Sent[] {
  return lanes.map((lane, index) => {
    const event = { id: 'e1', type: 'account.created', modelid: 'activation' };
    const data = JSON.stringify({ ...event, transactionid: `${name}-${index}` });
    return { data: Buffer.from(data), ...lane };
  });
}

async function untilApplied(name: string, lanes: number): Promise<void> {
  for (let index = 0; index < lanes; index++)
    await service.eventually(instancePath('activation', `${name}-${index}`), () => true);
}

/** Records that ended nowhere yet, and dead letters of no record, in base64. */
async function compare(sent: readonly Sent[]): Promise<{ lost: Uint8Array[]; made: string[] }> {
  const letters = await allLetters();
  const events = await allEvents(sent);
  const lost: Uint8Array[] = [];
  for (const { data } of sent) {
    const raw = Buffer.from(data).toString('base64');
    const left = letters.get(raw) ?? 0;
    if (left > 0) letters.set(raw, left - 1);
    else if (!isAmong(events, data)) lost.push(data);
  }
  const made = [...letters].flatMap(([raw, left]) => (left > 0 && !isReply(raw) ? raw : []));
  return { lost, made };
}

/** Word of an outcome to somebody who does not exist: Milepost sends it, to whom an event says. */
function isReply(raw: string): boolean {
  return Buffer.from(raw, 'base64').toString().includes('"type":"outcome.recorded"');
}

/** The first hash key of each shard. */
async function startsOfShards(): Promise<string[]> {
  const { Shards = [] } = await service.kinesis.send(
    new ListShardsCommand({ StreamName: service.ready.stream }),
  );
  return Shards.map((shard) => shard.HashKeyRange!.StartingHashKey!);
}

async function put(sent: readonly Sent[]): Promise<void> {
  const kinesis = service.kinesis;
  for (let from = 0; from < sent.length; from += recordsInARequest) {
    const { Records = [] } = await kinesis.send(
      new PutRecordsCommand({
        StreamName: service.ready.stream,
        Records: sent.slice(from, from + recordsInARequest).map(({ data, key, hashKey }) => ({
          PartitionKey: key,
          ExplicitHashKey: hashKey,
          Data: data,
        })),
      }),
    );
    expect(Records.filter(({ ErrorCode }) => ErrorCode)).toEqual([]);
  }
}

/** How many dead letters there are of each record, in base64. */
async function allLetters(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { raw } of all<{ raw: string }>('/api/dead-letters', 'deadLetters'))
    counts.set(raw, (counts.get(raw) ?? 0) + 1);
  return counts;
}

/** The names of the events in the history of each instance that was sent any; lists omit those that rejected all. */
async function allEvents(sent: readonly Sent[]): Promise<Map<string, Set<string>>> {
  const events = new Map<string, Set<string>>();
  for (const { model, transaction } of sent.flatMap(({ data }) => instanceIn(data))) {
    if (events.has(`${model}/${transaction}`)) continue;
    const names = new Set<string>();
    events.set(`${model}/${transaction}`, names);
    // No path leads to these two, even when they are encoded.
    if (transaction === '.' || transaction === '..') continue;
    const path = `${instancePath(model, transaction)}/history`;
    const { status } = await service.ask(path);
    if (status === 404) continue;
    for await (const { event } of all<{ event: JsonObject }>(path, 'entries'))
      names.add(nameOf(event));
  }
  return events;
}

/** The instance that a record is for, if it is an event. */
function instanceIn(data: Uint8Array): InstanceKey[] {
  try {
    const { modelid, transactionid } = read(data);
    const key = { model: modelid as string, transaction: transactionid as string };
    return isInstanceKey(key) ? [key] : [];
  } catch {
    return [];
  }
}

async function* all<Item>(path: string, member: string): AsyncGenerator<Item> {
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const query: string = `limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { status, body } = await service.ask(`${path}?${query}`);
    must(status === 200, () => `${path} answered ${JSON.stringify(body)}`);
    yield* body[member] as Item[];
    cursor = body.cursor as string | undefined;
  }
}

function isAmong(events: ReadonlyMap<string, ReadonlySet<string>>, data: Uint8Array): boolean {
  try {
    const event = read(data);
    const { modelid, transactionid } = event;
    if (transactionid === '.' || transactionid === '..') return true;
    const names = events.get(`${modelid as string}/${transactionid as string}`);
    return names?.has(nameOf(event)) ?? false;
  } catch {
    return false;
  }
}
