import { PutItemCommand, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, it, vi } from 'vitest';
import { startDynamoDb } from '../../../../src/aws-local/endpoints/index.ts';
import { Chance } from '../../../../src/common/chance.ts';
import { key } from '../../endpoints/dynamodb-table.ts';
import {
  createTable,
  type Item,
  keyOf,
  readStream,
  startDatabase,
} from '../../endpoints/streams/support.ts';
import { dynamoDbOf, kill, temporaryFolder } from '../../endpoints/support.ts';
import { operationsOf } from './support.ts';

const TableName = 'accounts';
const accounts = Array.from({ length: 8 }, (_, n) => `account-${n}`);

interface Transfer {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly amount: number;
}

/** Changes two balances and the index entries of both accounts, and records the transfer in a third item. */
function actionsOf({ id, from, to, amount }: Transfer) {
  const add = (pk: string, sum: number) => ({
    Update: {
      TableName,
      Key: key(pk),
      UpdateExpression: 'SET #group = :id ADD balance :sum',
      ExpressionAttributeNames: { '#group': 'group' },
      ExpressionAttributeValues: { ':id': { S: id }, ':sum': { N: `${sum}` } },
    },
  });
  const Item = {
    ...key(id),
    group: { S: 'transfers' },
    ...{ from: { S: from }, to: { S: to }, amount: { N: `${amount}` } },
  };
  return [add(from, -amount), { Put: { TableName, Item } }, add(to, amount)];
}

/** Returns the balances that result from the recorded transfers. */
function balancesAfter(transfers: readonly Item[]): Map<string, number> {
  const balances = new Map(accounts.map((account) => [account, 0]));
  const add = (account: string, amount: number) =>
    balances.set(account, balances.get(account)! + amount);
  for (const { from, to, amount } of transfers) {
    add(from!.S!, -Number(amount!.N));
    add(to!.S!, Number(amount!.N));
  }
  return balances;
}

it('after kill -9 during transfers, each transfer has happened completely or not at all', async () => {
  const dataFolder = await temporaryFolder();
  let arn = '';
  const acknowledged: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const endpoint = await startDynamoDb({ port: 0, dataFolder });
    const client = dynamoDbOf(endpoint);
    if (round === 0) {
      arn = await createTable(client, TableName, 'NEW_AND_OLD_IMAGES', 'group');
      for (const pk of accounts) {
        const Item = { ...key(pk), balance: { N: '0' } };
        await client.send(new PutItemCommand({ TableName, Item }));
      }
    }
    const { transact } = operationsOf(client);
    const atStart = acknowledged.length;
    const lanes = Array.from({ length: 12 }, async (_, lane) => {
      const chance = new Chance(100 * round + lane);
      for (let n = 0; ; n += 1) {
        const id = `transfer-${round}-${lane}-${n}`;
        const from = chance.pick(accounts);
        const to = chance.pick(accounts.filter((account) => account !== from));
        await transact(actionsOf({ id, from, to, amount: chance.whole(1, 100) }));
        acknowledged.push(id);
      }
    });
    const stopped = Promise.allSettled(lanes);
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(atStart + 100), 20_000);
    await kill(endpoint);
    await stopped;
    client.destroy();
  }

  const { client, streams } = await startDatabase(undefined, dataFolder);
  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  const pkOf = ({ pk }: Item) => pk!.S!;
  const items = new Map(Items.map((item) => [pkOf(item), item]));
  const transfers = Items.filter((item) => !accounts.includes(pkOf(item)));
  const found = new Set(transfers.map(pkOf));
  expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
  const balances = accounts.map((pk) => [pk, Number(items.get(pk)?.['balance']?.N)] as const);
  expect(new Map(balances)).toEqual(balancesAfter(transfers));

  const indexed = async (group: string) => {
    const query = new QueryCommand({
      TableName,
      IndexName: 'group',
      KeyConditionExpression: '#group = :group',
      ExpressionAttributeNames: { '#group': 'group' },
      ExpressionAttributeValues: { ':group': { S: group } },
    });
    return ((await client.send(query)).Items ?? []).map(pkOf).toSorted();
  };
  for (const group of new Set(Items.map((item) => item['group']!.S!))) {
    const members = Items.filter((item) => item['group']!.S === group);
    expect(await indexed(group)).toEqual(members.map(pkOf).toSorted());
  }

  const replayed = new Map<string, Item>();
  for (const record of await readStream(streams, arn)) {
    const { OldImage, NewImage } = record.dynamodb;
    expect(OldImage).toEqual(replayed.get(keyOf(record)));
    if (NewImage) replayed.set(keyOf(record), NewImage);
  }
  expect(replayed).toEqual(items);
});
