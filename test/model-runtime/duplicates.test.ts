import { describe, expect, it } from 'vitest';
import { DynamoDbInstanceStore } from '../../src/aws/instances/dynamodb-instance-store.ts';
import type { Commit } from '../../src/core/history/commit.ts';
import {
  addFingerprints,
  emptySeen,
  fingerprintOf,
  mayContainRecent,
} from '../../src/core/history/seen.ts';
import { partitionDuplicates } from '../../src/model-runtime/duplicates.ts';
import type { PositionedEvent } from '../../src/model-runtime/protocol.ts';
import { transition } from '../../src/model-runtime/transition.ts';
import { dynamoDbOf } from '../support/aws-in-memory/dynamodb-of.ts';
import { EventStreamInMemory } from '../support/aws-in-memory/event-stream-in-memory.ts';
import { InstancesInMemory } from '../support/aws-in-memory/instances-in-memory.ts';
import { MemoryDynamoDb } from '../support/aws-in-memory/memory-dynamodb.ts';
import { NotifierInMemory } from '../support/aws-in-memory/notifier-in-memory.ts';
import { commitOf, entryOf } from '../support/data/commits.ts';
import { placed } from '../support/data/events.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { counter } from '../support/models/counter-model.ts';

it('partitionDuplicates keeps the order of first deliveries that are mixed with resent events', async () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id, index) => placed(index + 1, { id }));
  const again = ['a', 'b'].map((id, index) => placed(index + 4, { id }));
  const { store } = new InstancesInMemory(new ManualClock());
  const events = [a!, b!, c!, ...again];
  const { unapplied, resent } = await partitionDuplicates(store, undefined, events);
  expect(unapplied).toEqual([a, b, c]);
  expect(resent).toEqual(again);
});

it('a redelivered duplicate is recognized after 3,000 other events', async () => {
  const clock = new ManualClock();
  const environment = {
    model: counter,
    store: new InstancesInMemory(clock).store,
    stream: new EventStreamInMemory(),
    notifier: new NotifierInMemory(),
    clock,
  };
  const outcomes = async (...events: readonly PositionedEvent[]) =>
    (await transition(environment, events)).map(({ outcome }) => outcome);
  const [once, again] = [placed(1, { id: 'a' }), placed(2, { id: 'a' })];
  expect(await outcomes(once)).toEqual(['applied']);
  expect(await outcomes(again)).toEqual(['duplicate']);
  const later = Array.from({ length: 3_000 }, (_, i) => placed(i + 3, { id: `m${i}` }));
  for (let at = 0; at < later.length; at += 200) await outcomes(...later.slice(at, at + 200));
  expect(await outcomes(again)).toEqual(['duplicate']);
  expect(await outcomes(once)).toEqual(['duplicate']);
});

describe('a search of 2,100 commits, each with one event of 9 KB', async () => {
  const key = { model: 'counter', transaction: 'T1' };
  const position = (n: number) => placed(n).position;
  const written: Commit[] = [];
  let seen = emptySeen;
  for (let version = 1; version <= 2_100; version++) {
    const name = { source: 'test', id: `e${version}` };
    seen = addFingerprints(seen, [fingerprintOf(name)], version);
    const data = JSON.stringify(String(version).padStart(9_000, 'x'));
    const { shard, sequence } = position(version);
    const entries = [entryOf(key, { data }, name.id)];
    written.push(commitOf(key, version, { seen, entries, highWaterMarks: { [shard]: sequence } }));
  }
  const newest = written.at(-1)!;
  const database = new MemoryDynamoDb({ instances: {} });
  await new DynamoDbInstanceStore(database.dynamoDb, 'instances').commit(written);

  /** Searches for the event in the commits. Returns the result and the requests. */
  async function search(event: PositionedEvent) {
    const requests: string[] = [];
    const counting = dynamoDbOf({
      send(command) {
        requests.push(command.constructor.name);
        return database.send(command);
      },
    });
    const store = new DynamoDbInstanceStore(counting, 'instances');
    return { ...(await partitionDuplicates(store, newest, [event])), requests };
  }

  it('needs at most four requests for a new event that has the fingerprint of a seen event', async () => {
    let id = 0;
    const next = () => ({ ...placed(9_999, { id: `new${id++}` }), position: position(9_999) });
    for (let found = 0; found < 3; ) {
      const event = next();
      if (!mayContainRecent(newest.seen, fingerprintOf(event.event))) continue;
      found++;
      const { unapplied, requests } = await search(event);
      expect(unapplied).toEqual([event]);
      // A query returns up to 1 MB, which is about a thousand commits in this test.
      expect(requests.length).toBeLessThanOrEqual(4);
      expect(new Set(requests)).toEqual(new Set(['QueryCommand']));
    }
  });

  it('needs at most four requests for a resent event', async () => {
    const { resent, requests } = await search(placed(9_999, { id: 'e1050' }));
    expect(resent).toHaveLength(1);
    expect(requests.length).toBeLessThanOrEqual(4);
  });

  it('reads in full only the commit whose tail must be repeated', async () => {
    const { redelivered, requests } = await search(placed(1_050, { id: 'e1050' }));
    expect([...redelivered].map(({ version }) => version)).toEqual([1_050]);
    expect(requests.filter((name) => name === 'BatchGetItemCommand')).toHaveLength(1);
    expect(requests.length).toBeLessThanOrEqual(6);
  });

  it('stops at the latest commits if the event is among them', async () => {
    const { redelivered, requests } = await search(placed(2_099, { id: 'e2099' }));
    expect([...redelivered].map(({ version }) => version)).toEqual([2_099]);
    expect(requests.filter((name) => name === 'QueryCommand')).toHaveLength(2);
  });
});
