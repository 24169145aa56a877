import type { PutItemInput } from '@aws-sdk/client-dynamodb';
import type { DynamoDb, Item } from '../../src/aws/client/dynamodb.ts';
import type { Sending } from '../support/aws-in-memory/dynamodb-of.ts';
import type { Faults, Sabotage } from './sabotage.ts';

/** Returns a fault that changes the announced numbers of partitions. */
const announcing = (change: (item: Item) => Item): Sabotage => ({
  growing: {
    writer: (client) => ({
      ...client,
      putItem: (input) => client.putItem({ ...input, Item: change(input.Item!) }),
    }),
  },
});

/** Returns a fault that changes the numbers of partitions that readers of lists see. */
const reading = (change: (item: Item, now: number) => Item): Sabotage => ({
  growing: {
    reader: (client, clock): DynamoDb => ({
      ...client,
      query: async (input) => {
        const page = await client.query(input);
        const isNumber = input.ExpressionAttributeValues?.[':pk']?.S === '#partitions';
        return isNumber
          ? { ...page, Items: page.Items?.map((item) => change(item, clock.now())) }
          : page;
      },
    }),
  },
});

/** Returns a successful response to requests that record statuses, without executing them. */
const recordingNothing = (client: Sending): Sending => ({
  send: (command) => {
    const { Item: item } = (command as { input: Partial<PutItemInput> }).input;
    return item?.pk?.S === '#statuses' ? Promise.resolve({}) : client.send(command);
  },
});

/** Faults in the keys of the indexes: the growth of the number of partitions, and the recorded statuses. */
export const growthFaults: Faults = {
  'rows are written although their status is not recorded': [
    { client: recordingNothing },
    /is not recorded/,
  ],
  'writers use a number of partitions that some readers do not know': [
    announcing((item) => ({ ...item, from: { N: '0' } })),
    /is missing from/,
  ],
  'readers read only the partitions that writers use': [
    reading((item, now) => (now < Number(item.from!.N) ? { ...item, count: item.before! } : item)),
    /is missing from/,
  ],
  'the number of partitions decreases': [
    announcing((item) => (Number(item.before!.N) > 8 ? { ...item, count: { N: '8' } } : item)),
    /is missing from/,
  ],
  'the fixed order depends on the current number of partitions': [
    reading((item) => ({ ...item, first: item.count! })),
    /times in the fixed order/,
  ],
};
