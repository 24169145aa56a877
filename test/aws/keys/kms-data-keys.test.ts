import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kms } from '../../../src/aws/client/kms.ts';
import { KmsDataKeys } from '../../../src/aws/keys/kms-data-keys.ts';
import { createKmsServer } from '../../../src/aws-local/kms/kms-server.ts';
import { listen } from '../../../src/aws-local/server/listen.ts';
import { createTables } from '../../../src/local/deploy/create-tables.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { MemoryKms } from '../../support/aws-in-memory/memory-kms.ts';
import { dataKeysInMemory, dataKeysTable } from '../../support/aws-in-memory/stores-in-memory.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { serviceAt } from '../../support/service/service-at.ts';
import { type Database, startDatabase } from '../tables.ts';
import { dataKeyCases } from './data-key-cases.ts';

describe('KmsDataKeys on an in-memory DynamoDB and KMS', () => {
  const [database, kmsInMemory] = [new MemoryDynamoDb(dataKeysTable), new MemoryKms()];
  const newKeys = () => dataKeysInMemory(new ManualClock(), kmsInMemory, database);
  dataKeyCases(() => ({ keys: newKeys(), other: newKeys() }));
});

it('concurrent readers of a data key cause one request to KMS', async () => {
  const [database, kmsInMemory] = [new MemoryDynamoDb(dataKeysTable), new MemoryKms()];
  const newKeys = () => dataKeysInMemory(new ManualClock(), kmsInMemory, database);
  const instance = { model: 'm', transaction: 'T1' };
  const key = await newKeys().getOrCreate(instance);
  let requests = 0;
  const decrypt = kmsInMemory.decrypt.bind(kmsInMemory);
  kmsInMemory.decrypt = (...asked) => {
    requests++;
    return decrypt(...asked);
  };
  const keys = newKeys();
  const read = await Promise.all(Array.from({ length: 500 }, () => keys.get(instance)));
  expect(new Set(read)).toEqual(new Set([key]));
  expect(requests).toBe(1);
});

it('a read that ends after the key is destroyed does not restore the key', async () => {
  const [database, kmsInMemory] = [new MemoryDynamoDb(dataKeysTable), new MemoryKms()];
  const newKeys = () => dataKeysInMemory(new ManualClock(), kmsInMemory, database);
  const instance = { model: 'm', transaction: 'T1' };
  await newKeys().getOrCreate(instance);
  const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const decrypt = kmsInMemory.decrypt.bind(kmsInMemory);
  kmsInMemory.decrypt = async (...asked) => {
    started.resolve();
    await gate.promise;
    return decrypt(...asked);
  };
  const keys = newKeys();
  const reading = keys.get(instance);
  await started.promise;
  await keys.destroy(instance);
  gate.resolve();
  await reading;
  expect(await keys.get(instance)).toBe('forgotten');
});

/** Creates an instance's key, which KMS then takes the given number of milliseconds to decrypt. */
async function withSlowDecryption(milliseconds: number) {
  const [database, kmsInMemory] = [new MemoryDynamoDb(dataKeysTable), new MemoryKms()];
  const clock = new ManualClock();
  const newKeys = () => dataKeysInMemory(clock, kmsInMemory, database);
  const instance = { model: 'm', transaction: 'T1' };
  await newKeys().getOrCreate(instance);
  const decrypt = kmsInMemory.decrypt.bind(kmsInMemory);
  kmsInMemory.decrypt = async (...asked) => {
    await clock.sleep(milliseconds);
    return decrypt(...asked);
  };
  return { clock, instance, newKeys };
}

it('a process stops using a destroyed key one minute after it started to read the key, even if the read was slow', async () => {
  const { clock, instance, newKeys } = await withSlowDecryption(15_000);
  const slow = newKeys();
  const reading = slow.get(instance);
  await clock.settle();
  await newKeys().destroy(instance);
  await clock.advance(15_000);
  expect(await reading).not.toBe('forgotten');
  await clock.advance(45_000);
  expect(await slow.get(instance)).toBe('forgotten');
});

it('a process repeats a read of a key if the read takes longer than the process may use the key', async () => {
  const { clock, instance, newKeys } = await withSlowDecryption(60_000);
  // Lambda freezes a process between two invocations, for example, while the process reads a key.
  const frozen = newKeys().get(instance);
  await clock.settle();
  await newKeys().destroy(instance);
  await clock.advance(60_000);
  expect(await frozen).toBe('forgotten');
});

it('a process does not use a key that another process destroyed while the process wrote it', async () => {
  const [database, kmsInMemory] = [new MemoryDynamoDb(dataKeysTable), new MemoryKms()];
  const clock = new ManualClock();
  const instance = { model: 'm', transaction: 'T1' };
  const { dynamoDb } = database;
  const putItem: typeof dynamoDb.putItem = async (input) => {
    const output = await dynamoDb.putItem(input);
    // Lambda freezes the process before it receives the response.
    await clock.sleep(60_000);
    return output;
  };
  const slow = { dynamoDb: { ...dynamoDb, putItem } };
  const frozen = dataKeysInMemory(clock, kmsInMemory, slow).getOrCreate(instance);
  await clock.settle();
  await dataKeysInMemory(clock, kmsInMemory, database).destroy(instance);
  await clock.advance(60_000);
  await expect(frozen).resolves.toBe('forgotten');
});

describe('KmsDataKeys', () => {
  const clock = new ManualClock();
  const closing = new AsyncDisposableStack();
  let database: Database;
  let url: string;
  const newKeys = () =>
    new KmsDataKeys({
      database: database.dynamoDb,
      table: definition.TableName!,
      kms: kms(serviceAt(url)),
      keyArn: 'arn:aws:kms:us-east-1:000000000000:key/1',
      clock,
    });

  beforeAll(async () => {
    database = closing.use(await startDatabase());
    const folder = await mkdtemp(join(tmpdir(), 'milepost-kms-'));
    closing.defer(() => rm(folder, { recursive: true, force: true }));
    ({ url } = closing.use(await listen(createKmsServer(join(folder, 'data-key')), 0)));
    await createTables(database.client, [definition]);
  });
  afterAll(() => closing.disposeAsync());

  dataKeyCases(() => ({ keys: newKeys(), other: newKeys() }));

  it('stores a key only in encrypted form and deletes it when it is destroyed', async () => {
    const instance = { model: 'm', transaction: 'stored' };
    const key = (await newKeys().getOrCreate(instance)) as Uint8Array;
    const { Item } = await database.dynamoDb.getItem({
      TableName: definition.TableName,
      Key: { pk: { S: 'm#stored' } },
    });
    expect(Buffer.from(Item!.encrypted!.B!).includes(Buffer.from(key))).toBe(false);
    await newKeys().destroy(instance);
    const { Item: left } = await database.dynamoDb.getItem({
      TableName: definition.TableName,
      Key: { pk: { S: 'm#stored' } },
    });
    expect(left).toEqual({ pk: { S: 'm#stored' }, forgottenAt: { S: expect.any(String) } });
  });

  it('makes other processes stop using a destroyed key after one minute', async () => {
    const [keys, other] = [newKeys(), newKeys()];
    const instance = { model: 'm', transaction: 'elsewhere' };
    const key = await other.getOrCreate(instance);
    await keys.destroy(instance);
    expect(await other.get(instance)).toEqual(key);
    await clock.advance(60_000);
    expect(await other.get(instance)).toBe('forgotten');
  });

  it('makes other processes stop using a destroyed key even if the clock was set back', async () => {
    const [keys, other] = [newKeys(), newKeys()];
    const instance = { model: 'm', transaction: 'set back' };
    await other.getOrCreate(instance);
    await keys.destroy(instance);
    clock.setBack(24 * 60 * 60 * 1_000);
    expect(await other.get(instance)).toBe('forgotten');
  });

  it('decrypts a key only for the instance that it belongs to', async () => {
    await newKeys().getOrCreate({ model: 'm', transaction: 'mine' });
    const { Item } = await database.dynamoDb.getItem({
      TableName: definition.TableName,
      Key: { pk: { S: 'm#mine' } },
    });
    await database.dynamoDb.putItem({
      TableName: definition.TableName,
      Item: { ...Item, pk: { S: 'm#theirs' } },
    });
    await expect(newKeys().get({ model: 'm', transaction: 'theirs' })).rejects.toMatchObject({
      name: 'InvalidCiphertextException',
    });
  });
});

const definition: CreateTableCommandInput = {
  TableName: 'keys',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
};
