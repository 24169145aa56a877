import { beforeEach, describe, expect, it } from 'vitest';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { DynamoDbParkingStore } from '../../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { StatusRowReader } from '../../../src/aws/lists/status-row-reader.ts';
import { systemClock } from '../../../src/common/clock.ts';
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
const keys: readonly InstanceKey[] = Array.from({ length: 20 }, (_, n) => ({
  model: 'order',
  transaction: `T${n}`,
}));

/** The client of a table whose eventually consistent reads return data that is a second old. */
let client: DynamoDb;
const newStore = () => new DynamoDbInstanceStore(client, instancesTable);

beforeEach(async () => {
  const tables = { [instancesTable]: { indexes: instanceIndexes } };
  const database = new MemoryDynamoDb(tables);
  const clock = new ManualClock();
  const options = { database, tables, clock, isOld: () => true, lagMs: 1_000 };
  client = dynamoDbOf(new LaggingReplica(options));
  const first = keys.map((key) => commitOf(key, 1));
  await newStore().commit(first);
  await newStore().writeStatus(first);
  await clock.advance(1_000);
});

describe('an eventually consistent read of DynamoDB that lacks recent writes', () => {
  it.each([
    ['in a query', 1],
    ['in a batch', 20],
  ])('does not hide a queue change that has just begun, %s', async (_, count) => {
    const parking = new DynamoDbParkingStore(client, instancesTable);
    for (const key of keys) await parking.begin(key, position);
    const answers = await newStore().readOptimistic(keys.slice(0, count));
    for (const answer of answers) expect(answer).toMatchObject({ value: { mayHaveParked: true } });
    expect(answers).toHaveLength(count);
  });

  it('results in a conflict instead of a lost commit', async () => {
    await newStore().commit(keys.map((key) => commitOf(key, 2)));
    const store = newStore();
    const old = await store.readOptimistic(keys);
    expect(old).toMatchObject(keys.map(() => ({ value: { head: { version: 1 } } })));
    expect(await store.commit(keys.map((key) => commitOf(key, 2, { state: '"late"' })))).toEqual(
      keys.map(() => ({ value: 'conflict' })),
    );
    expect(await store.readConsistent(keys)).toMatchObject(
      keys.map((key) => ({ value: { commit: commitOf(key, 2) } })),
    );
  });

  it('does not leave a stale version in a list', async () => {
    const [key] = keys;
    for (const version of [2, 3]) await newStore().commit([commitOf(key!, version)]);
    await newStore().writeStatus([commitOf(key!, 2)]);
    const reader = new StatusRowReader({ client, table: instancesTable, clock: systemClock });
    const rows = [...(await reader.read([`${key!.model}#${key!.transaction}`])).values()];
    expect(await reader.withLatestProgress(rows)).toMatchObject([{ version: 3 }]);
  });
});
