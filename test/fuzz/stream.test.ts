import { setTimeout as pause } from 'node:timers/promises';
import { ListShardsCommand, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type InstanceKey, isInstanceKey } from '../../src/core/event/event.ts';
import type { JsonObject } from '../../src/core/json/json.ts';
import { deployedFolder } from '../support/service/deployed-folder.ts';
import { instancePath, Service } from '../support/service/service.ts';
import { must, nameOf, read, shown } from './accounts.ts';
import { anyBytes } from './any-bytes.ts';
import { anyEventText } from './any-event.ts';
import { asBytes } from './any-text.ts';
import { runs, seed, timeLimit } from './settings.ts';

/** The number of records: few enough for the local service to process in a few seconds. */
const records = Math.ceil(runs / 10);
const recordsInARequest = 100;

/**
 * The partition keys. Records with the same key stay in order. Records of a shard with different keys can be processed
 * in parallel.
 */
const keys = ['k1', 'k2', 'k3'];

interface Sent {
  readonly data: Uint8Array;
  readonly key: string;
  /** The hash key that selects the shard of the record. */
  readonly hashKey: string;
}

let service: Service;
beforeAll(async () => {
  service = await Service.start({ MILEPOST_DATA: await deployedFolder() });
});
afterAll(async () => {
  await service.stop();
});

it('any records on the stream have one outcome each and block no shard', {
  timeout: timeLimit,
}, async () => {
  const lanes = (await startsOfShards()).flatMap((hashKey) =>
    keys.map((key) => ({ hashKey, key })),
  );
  const sent = fc
    .sample(fc.oneof(anyBytes, asBytes(anyEventText)), { seed, numRuns: records })
    // Omit empty records, which Kinesis rejects, and large records after the first 300.
    .filter((data, index) => data.byteLength > 0 && (data.byteLength < 20_000 || index < 300))
    .map((data, index) => ({ data, ...lanes[index % lanes.length]! }));
  const first = behind('first', lanes);
  const second = behind('second', lanes);
  await put([...sent, ...first]);
  await untilApplied('first', lanes.length);
  // When these events are applied, all earlier batches are complete.
  await put(second);
  await untilApplied('second', lanes.length);

  expect(await whenSettled([...sent, ...first, ...second])).toEqual({ lost: [], made: [] });
});

/** Compares records and outcomes after all records are processed. Waits only if records must be redelivered. */
async function whenSettled(sent: readonly Sent[]): Promise<{ lost: string[]; made: string[] }> {
  for (let tries = 0; ; tries++) {
    const { lost, made } = await compare(sent);
    if (lost.length === 0 || tries === 50) return { lost: lost.map(shown), made };
    await pause(200);
  }
}

/**
 * Creates an event for each shard and partition key, to be processed after all earlier records with this key in the
 * shard.
 */
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

/**
 * Returns the bytes of the records without an outcome and, in Base64, the bytes of the dead letters without a record.
 */
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

/**
 * True if the record is a reply, which Milepost sends to the instance in `replyto` even if the instance does not exist.
 */
function isReply(raw: string): boolean {
  return Buffer.from(raw, 'base64').toString().includes('"type":"outcome.recorded"');
}

/** Returns the first hash key of each shard. */
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

/** Returns the number of dead letters of each record, by the bytes of the record in Base64. */
async function allLetters(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { raw } of all<{ raw: string }>('/api/dead-letters', 'deadLetters'))
    counts.set(raw, (counts.get(raw) ?? 0) + 1);
  return counts;
}

/**
 * Returns the event identities in the history of each instance. The instances are not read from lists, which omit
 * instances with only rejected events.
 */
async function allEvents(sent: readonly Sent[]): Promise<Map<string, Set<string>>> {
  const events = new Map<string, Set<string>>();
  for (const { model, transaction } of sent.flatMap(({ data }) => instanceIn(data))) {
    if (events.has(`${model}/${transaction}`)) continue;
    const names = new Set<string>();
    events.set(`${model}/${transaction}`, names);
    // Skip `.` and `..`, which no path can address, even if they are encoded.
    if (transaction === '.' || transaction === '..') continue;
    const path = `${instancePath(model, transaction)}/history`;
    const { status } = await service.ask(path);
    if (status === 404) continue;
    for await (const { event } of all<{ event: JsonObject }>(path, 'entries'))
      names.add(nameOf(event));
  }
  return events;
}

/** Returns the instance of a record if the record is an event. */
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
