import { describe, expect, it } from 'vitest';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { ServiceError } from '../../../src/aws/client/transport/service-error.ts';
import { batchGet } from '../../../src/aws/dynamodb/batch-get.ts';
import type { Item } from '../../support/aws-in-memory/dynamodb-expressions.ts';
import { dynamoDbOf } from '../../support/aws-in-memory/dynamodb-of.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const table = 'instances';
const keys = Array.from({ length: 100 }, (_, i): Item => ({ pk: { S: `${i}` }, sk: { S: 'x' } }));

/** Reads items from a fake DynamoDB that processes the given number of keys per request. */
async function reading(processed: (request: number, wanted: number) => number) {
  const clock = new ManualClock();
  const times: number[] = [];
  const client = dynamoDbOf({
    send(command) {
      const { input } = command as { input: { RequestItems: Record<string, { Keys: Item[] }> } };
      const wanted = input.RequestItems[table]!.Keys;
      times.push(clock.now());
      const count = processed(times.length, wanted.length);
      const left = wanted.slice(count);
      return Promise.resolve({
        Responses: { [table]: wanted.slice(0, count) },
        UnprocessedKeys: left.length > 0 ? { [table]: { Keys: left } } : {},
      });
    },
  });
  const items = clock.runUntil(batchGet(client, table, keys, { clock }));
  return { items: await items.catch((error: unknown) => error), times };
}

const waits = (times: readonly number[]) => times.slice(1).map((time, n) => time - times[n]!);

describe('batchGet', () => {
  it('requests unprocessed keys again until all items are read', async () => {
    const { items, times } = await reading((_, wanted) => Math.min(7, wanted));
    expect(items).toEqual(keys);
    expect(times).toHaveLength(Math.ceil(100 / 7));
  });

  it('waits a random time of up to 50 ms between requests that make progress', async () => {
    const { times } = await reading((_, wanted) => Math.min(1, wanted));
    expect(waits(times)).toHaveLength(99);
    expect(Math.max(...waits(times))).toBeLessThanOrEqual(50);
    expect(new Set(waits(times)).size).toBeGreaterThan(90);
  });

  it('backs off while DynamoDB processes no key, and fails with `busy` after eight requests', async () => {
    const { items, times } = await reading(() => 0);
    expect(items).toMatchObject({
      code: 'busy',
      message: 'the table instances returned none of 100 items; try again later',
    });
    expect(times).toHaveLength(8);
    for (const [n, wait] of waits(times).entries())
      expect(wait).toBeLessThanOrEqual(Math.min(2_000, 100 * 2 ** n));
    // The waits are random. Their sum could be smaller only if almost all waits were close to zero.
    expect(waits(times).reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(100);
  });

  it('returns all items if throttling ends before the last attempt', async () => {
    const { items } = await reading((request, wanted) => (request < 7 ? 0 : wanted));
    expect(items).toEqual(keys);
  });

  it('fails with `busy` and the unread keys if DynamoDB throttles the request for the remaining keys', async () => {
    const throttled = new ServiceError('ProvisionedThroughputExceededException', 'slow down', 400);
    let requests = 0;
    const client = {
      batchGetItem: ({ RequestItems }: { RequestItems: Record<string, { Keys: Item[] }> }) => {
        const wanted = RequestItems[table]!.Keys;
        if (++requests > 1) return Promise.reject(throttled);
        const UnprocessedKeys = { [table]: { Keys: wanted.slice(-1) } };
        return Promise.resolve({
          Responses: { [table]: wanted.slice(0, -1) },
          UnprocessedKeys,
        });
      },
    } as unknown as DynamoDb;
    const clock = new ManualClock();
    const reading = clock.runUntil(batchGet(client, table, keys, { clock }));
    await expect(reading).rejects.toMatchObject({
      code: 'busy',
      keys: keys.slice(-1),
      cause: throttled,
    });
  });

  it('rejects a response without `Responses`', async () => {
    const client = { batchGetItem: () => Promise.resolve({}) } as unknown as DynamoDb;
    await expect(batchGet(client, table, keys)).rejects.toThrow(
      'BatchGetItem returned no `Responses`',
    );
  });
});
