import { beforeEach, describe, expect, it } from 'vitest';
import { DynamoDbParkingStore } from '../../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { Chance } from '../../../src/common/chance.ts';
import type { InstanceKey } from '../../../src/core/event/event.ts';
import { dynamoDbOf } from '../../support/aws-in-memory/dynamodb-of.ts';
import {
  instanceIndexes,
  instancesTable,
} from '../../support/aws-in-memory/instances-in-memory.ts';
import { LaggingReplica } from '../../support/aws-in-memory/lagging-replica.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { commitOf } from '../../support/data/commits.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const position = { shard: 'shardId-000000000000', sequence: '1' };
const keys: readonly InstanceKey[] = Array.from({ length: 40 }, (_, n) => ({
  model: 'order',
  transaction: `T${n}`,
}));

/** A client of a table whose eventually consistent reads often return data that is a second old. */
let client: ReturnType<typeof dynamoDbOf>;
const newStore = () => new DynamoDbInstanceStore(client, instancesTable);

beforeEach(async () => {
  const tables = { [instancesTable]: { indexes: instanceIndexes } };
  const database = new MemoryDynamoDb(tables);
  const clock = new ManualClock();
  const options = { database, tables, clock, chance: new Chance(1), lagMs: 1_000 };
  client = dynamoDbOf(new LaggingReplica(options));
  const first = keys.map((key) => commitOf(key, 1));
  await newStore().commit(first);
  await newStore().writeStatus(first);
  await clock.advance(1_000);
});

describe.each([
  ['one at a time', 1],
  ['in groups of 20', 20],
])('instances that are read %s from an old replica', (_, size) => {
  const groups = Array.from({ length: keys.length / size }, (__, n) =>
    keys.slice(n * size, (n + 1) * size),
  );

  it('show events that have just been parked, so that later events wait behind them', async () => {
    const parking = new DynamoDbParkingStore(client, instancesTable);
    for (const key of keys) await parking.begin(key, position);
    for (const group of groups)
      for (const answer of await newStore().readOptimistic(group))
        expect(answer).toMatchObject({ value: { mayHaveParked: true } });
  });

  it('cannot overwrite a commit that has just been written', async () => {
    await newStore().commit(keys.map((key) => commitOf(key, 2)));
    for (const group of groups) {
      const store = newStore();
      for (const [n, answer] of (await store.readOptimistic(group)).entries()) {
        const version = 'value' in answer ? answer.value.head!.version : 0;
        const [result] = await store.commit([commitOf(group[n]!, version + 1)]);
        expect(result).toEqual({ value: version === 2 ? 'committed' : 'conflict' });
      }
    }
  });
});
