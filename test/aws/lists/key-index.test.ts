import { expect, it } from 'vitest';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { headOf } from '../../../src/core/history/commit.ts';
import { dynamoDbOf } from '../../support/aws-in-memory/dynamodb-of.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { commitOf } from '../../support/data/commits.ts';

const sharing = (transaction: string, ...keys: string[]) =>
  headOf(commitOf({ model: 'orders', transaction }, 1, { description: { status: 'Open', keys } }));
const partitionsOf = (database: MemoryDynamoDb) =>
  database
    .items('instances')
    .map(({ pk }) => pk!.S!)
    .filter((pk) => pk.startsWith('#key#'));

it('the key index distributes the instances of a key over eight partitions', async () => {
  const database = new MemoryDynamoDb({ instances: {} });
  const store = new DynamoDbInstanceStore(database.dynamoDb, 'instances');
  await store.writeStatus(Array.from({ length: 400 }, (_, i) => sharing(`T${i}`, 'customer:1')));
  const partitions = Map.groupBy(partitionsOf(database), (pk) => pk);
  expect(partitions.size).toBe(8);
  for (const each of partitions.values()) expect(each.length).toBeLessThan(100);
});

it('writeStatus returns errors only for instances whose key index items could not be written', async () => {
  const database = new MemoryDynamoDb({ instances: {} });
  const throttled = dynamoDbOf({
    async send(command) {
      const { input } = command as { input: { Statements?: { Parameters: { S?: string }[] }[] } };
      const answer = (await database.send(command)) as { Responses?: object[] };
      if (!input.Statements || !answer.Responses) return answer;
      const isHot = (n: number) =>
        input.Statements![n]?.Parameters.some(({ S }) => S?.startsWith('#key#hot'));
      const failure = { Error: { Code: 'ThrottlingError', Message: 'too fast' } };
      return { Responses: answer.Responses.map((each, n) => (isHot(n) ? failure : each)) };
    },
  });
  const store = new DynamoDbInstanceStore(throttled, 'instances');
  const heads = [sharing('A', 'cold:1'), sharing('B', 'cold:1', 'hot:1'), sharing('C')];
  expect(await store.writeStatus(heads)).toEqual([
    { value: undefined },
    { error: expect.objectContaining({ message: 'ThrottlingError: too fast', code: 'busy' }) },
    { value: undefined },
  ]);
  const rows = database.items('instances').filter(({ sk }) => sk!.S === 'STATUS');
  expect(rows.map(({ pk }) => pk!.S)).toEqual(['orders#A', 'orders#C']);
});
