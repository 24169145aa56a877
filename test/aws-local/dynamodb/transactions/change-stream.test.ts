import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { key } from '../../endpoints/dynamodb-table.ts';
import { createTable, readStream, startDatabase } from '../../endpoints/streams/support.ts';
import { canceled, operationsOf } from './support.ts';

const TableName = 'orders';

it('a change stream contains every change of a transaction with both images, and no change of a canceled transaction', async () => {
  const { client, streams } = await startDatabase();
  const arn = await createTable(client, TableName, 'NEW_AND_OLD_IMAGES');
  const { transact } = operationsOf(client);
  const [updated, deleted, checked] = ['updated', 'deleted', 'checked'].map((pk) => ({
    ...key(pk),
    n: { N: '1' },
  }));
  for (const Item of [updated, deleted, checked])
    await client.send(new PutItemCommand({ TableName, Item }));
  const before = (await readStream(streams, arn)).length;
  const action = (pk: string) => ({ TableName, Key: key(pk) });
  const condition = { ConditionExpression: 'attribute_exists(pk)' };

  await canceled(
    transact([
      { Delete: action('deleted') },
      { ConditionCheck: { ...action('missing'), ...condition } },
    ]),
  );
  await transact([
    { Put: { TableName, Item: key('new') } },
    {
      Update: {
        ...action('updated'),
        UpdateExpression: 'ADD n :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      },
    },
    { Delete: action('deleted') },
    { Delete: action('missing') },
    { ConditionCheck: { ...action('checked'), ...condition } },
  ]);

  const records = (await readStream(streams, arn)).slice(before);
  expect(
    records.map(({ eventName, dynamodb: { Keys, OldImage, NewImage } }) => ({
      eventName,
      Keys,
      OldImage,
      NewImage,
    })),
  ).toEqual([
    { eventName: 'INSERT', Keys: key('new'), NewImage: key('new') },
    {
      eventName: 'MODIFY',
      Keys: key('updated'),
      OldImage: updated,
      NewImage: { ...updated, n: { N: '2' } },
    },
    { eventName: 'REMOVE', Keys: key('deleted'), OldImage: deleted },
  ]);
});
