import { createHash, hash } from 'node:crypto';
import { type AttributeValue, DeleteItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DynamoDbDeadLetterStore } from '../../../src/aws/dead-letters/dynamodb-dead-letter-store.ts';
import type { DeadLetter } from '../../../src/core/event/dead-letter.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';
import { letterIdAt } from '../../support/data/letter-id.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type Database, startDatabase } from '../tables.ts';

const start = Date.UTC(2026, 0, 1);
const clock = new ManualClock(start);
let database: Database;
let table: string;
let store: DynamoDbDeadLetterStore;

beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  table = (await database.newTables()).deadLetters;
  store = new DynamoDbDeadLetterStore(database.dynamoDb, table, clock);
});

/** The dead letter of the nth record. Records with higher numbers arrive later. */
function letter(n: number, more: Partial<DeadLetter> = {}): DeadLetter {
  return {
    id: letterIdAt(n, start + n),
    reason: `not JSON: unexpected "${n}"`,
    at: toIso(start + n),
    modelId: null,
    transactionId: null,
    eventId: null,
    partitionKey: `key-${n}`,
    parked: null,
    raw: bytes(20, n),
    ...more,
  };
}

/** Returns the given number of pseudorandom bytes, which are not valid UTF-8. */
function bytes(count: number, seed = 0): Buffer {
  const blocks = Array.from({ length: Math.ceil(count / 64) }, (_, i) =>
    createHash('sha512').update(`${seed}/${i}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, count);
}

/** Replaces the bytes of a dead letter with a digest, because comparing megabytes byte by byte is slow. */
const digested = (found: DeadLetter | undefined) =>
  found && { ...found, raw: hash('sha256', found.raw), size: found.raw.byteLength };

const letters = (count: number, more: Partial<DeadLetter> = {}) =>
  Array.from({ length: count }, (_, n) => letter(n, more));
const idsOf = (found: readonly DeadLetter[]) => found.map(({ id }) => id);
const newestFirst = (from: readonly DeadLetter[]) => idsOf(from).toSorted().toReversed();

async function items() {
  const found: Record<string, AttributeValue>[] = [];
  const pages = paginateScan({ client: database.client }, { TableName: table });
  for await (const { Items = [] } of pages) found.push(...Items);
  return found;
}

/** Reads all pages of the list in order. */
async function pages(
  limit: number,
  order?: 'newest' | 'oldest',
): Promise<readonly (readonly DeadLetter[])[]> {
  const found: (readonly DeadLetter[])[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ limit, cursor, ...(order && { order }) });
    found.push(page.items);
    if (page.cursor === undefined) return found;
    // Without this check, a list that does not advance would hang the test.
    expect(page.cursor).not.toBe(cursor);
    cursor = page.cursor;
  }
}

describe('a dead letter', () => {
  it.each([20, 400 * 1024])(
    'of a notification record of %d bytes stays marked as a notification',
    async (size) => {
      const put = letter(7, { isNotification: true, raw: bytes(size) });
      await store.put([put]);
      expect(digested(await store.get(put.id))).toStrictEqual(digested(put));
    },
  );

  it.each([
    ['0 bytes', 0],
    ['300 KB', 300 * 1024],
    ['exactly one part (350 KB)', 350 * 1024],
    ['one byte more than one part', 350 * 1024 + 1],
    ['1 MB', 1024 * 1024],
  ])('with a record of %s preserves the bytes of the record', async (_, size) => {
    const put = letter(1, { raw: bytes(size) });
    expect(await store.put([put])).toEqual([{ value: undefined }]);
    expect(digested(await store.get(put.id))).toStrictEqual(digested(put));
    const { items, cursor } = await store.list({ limit: 1 });
    expect(items.map(digested)).toStrictEqual([digested(put)]);
    expect(cursor).toBeUndefined();
  });

  it('preserves every attribute, even with unusual content', async () => {
    const put = letter(1, {
      modelId: 'no "such" 模型',
      transactionId: '🚲'.repeat(128),
      eventId: '',
      reason: '',
      partitionKey: '#',
    });
    await store.put([put]);
    expect(await store.get(put.id)).toStrictEqual(put);
  });

  it('of a parked event stays marked as parked if the record is later rejected because its model is missing', async () => {
    const parked = letter(1, { parked: { shard: 'shardId-000000000000', sequence: '1' } });
    await store.put([parked]);
    expect(await store.put([letter(1)])).toEqual([{ value: undefined }]);
    expect((await store.get(parked.id))?.parked).toEqual(parked.parked);
  });

  it('of an event without a model becomes marked as parked if the event is later parked', async () => {
    const parked = letter(1, { parked: { shard: 'shardId-000000000000', sequence: '1' } });
    await store.put([letter(1)]);
    await store.put([parked]);
    expect((await store.get(parked.id))?.parked).toEqual(parked.parked);
  });

  it('that was never stored is read as undefined, and its removal changes nothing', async () => {
    await store.put([letter(1)]);
    expect(await store.get(letter(2).id)).toBeUndefined();
    await store.remove(letter(2).id);
    expect(await store.get(letter(1).id)).toStrictEqual(letter(1));
  });

  it.each([20, 400 * 1024])('of %i bytes does not change when it is put again', async (size) => {
    const [put, other] = [letter(1, { raw: bytes(size) }), letter(2)];
    await store.put([put, other]);
    await store.put([put]);
    const { items } = await store.list({ limit: 10 });
    expect(items.map(digested)).toStrictEqual([other, put].map(digested));
  });

  it.each([20, 400 * 1024])('of %i bytes is removed completely', async (size) => {
    const [put, other] = [letter(1, { raw: bytes(size) }), letter(2)];
    await store.put([put, other]);
    await store.remove(put.id);
    expect(await store.get(put.id)).toBeUndefined();
    expect(await store.list({ limit: 10 })).toStrictEqual({ items: [other] });
    expect(await items()).toHaveLength(1);
    await store.remove(put.id);
  });

  it('of a parked event does not expire', async () => {
    const parked = { shard: 'shardId-000000000000', sequence: '1' };
    const large = letter(2, { parked, raw: bytes(500 * 1024) });
    await store.put([letter(0), letter(1)]);
    await store.put([letter(1, { parked }), large]);
    await store.replace({ ...large, reason: 'still broken' });
    const expiring = (await items()).filter(({ expiresAt }) => expiresAt);
    expect(expiring.map(({ sk }) => sk)).toEqual([{ S: letter(0).id }]);
  });

  it('of a parked event is removed with all of its parts', async () => {
    const parked = { shard: 'shardId-000000000000', sequence: '1' };
    const small = Array.from({ length: 60 }, (_, n) => letter(n, { parked }));
    const large = letter(60, { parked, raw: bytes(500 * 1024) });
    await store.put([...small, large]);
    const gone = [...small, letter(70)].map(({ id }) => ({ letterId: id }));
    await store.removeParked([...gone, { letterId: large.id, hasLargeLetter: true }]);
    expect(await items()).toEqual([]);
  });

  it('expires with all of its parts 30 days after it was put', async () => {
    await store.put([letter(1, { raw: bytes(1024 * 1024) })]);
    const seconds = start / 1000 + 30 * 24 * 60 * 60;
    expect((await items()).map(({ expiresAt }) => expiresAt)).toEqual(
      Array.from({ length: 3 }, () => ({ N: String(seconds) })),
    );
  });

  it('is not found after DynamoDB has deleted an expired part', async () => {
    const [broken, whole] = [letter(2, { raw: bytes(400 * 1024) }), letter(1)];
    await store.put([broken, whole]);
    const part = (await items()).find(({ pk }) => pk?.S?.startsWith('PART#'))!;
    const Key = { pk: part.pk!, sk: part.sk! };
    await database.client.send(new DeleteItemCommand({ TableName: table, Key }));
    expect(await store.get(broken.id)).toBeUndefined();
    expect((await pages(1)).flat()).toStrictEqual([whole]);
  });

  it('that cannot be put does not prevent other dead letters from being put', async () => {
    const bad = letter(1, { partitionKey: 'x'.repeat(500_000) });
    const answers = await store.put([letter(0), bad, letter(2)]);
    expect(answers).toEqual([
      { value: undefined },
      { error: expect.anything() },
      { value: undefined },
    ]);
    expect(await store.list({ limit: 10 })).toStrictEqual({ items: [letter(2), letter(0)] });
  });
});

describe('the list of dead letters', () => {
  it('is empty at first', async () => {
    expect(await store.put([])).toEqual([]);
    expect(await store.list({ limit: 5 })).toEqual({ items: [] });
  });

  it('contains dead letters newest first, in pages without repetitions or gaps', async () => {
    const all = letters(20);
    await store.put(all);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 25 }), async (limit) => {
        const found = await pages(limit);
        expect(idsOf(found.flat())).toEqual(newestFirst(all));
        expect(found.every((page) => page.length <= limit)).toBe(true);
      }),
      { numRuns: 4, examples: [[20], [19], [1]] },
    );
  });

  it('contains dead letters oldest first on request', async () => {
    const all = letters(20);
    await store.put(all);
    for (const limit of [3, 20])
      expect(idsOf((await pages(limit, 'oldest')).flat())).toEqual(newestFirst(all).toReversed());
  });

  it('does not repeat earlier dead letters when new dead letters arrive between reads', async () => {
    await store.put(letters(10));
    const { cursor } = await store.list({ limit: 4 });
    await store.put([letter(20), letter(21)]);
    const { items } = await store.list({ limit: 10, cursor });
    expect(items.map(({ at }) => at)).toEqual([5, 4, 3, 2, 1, 0].map((n) => toIso(start + n)));
  });

  it('has pages with fewer dead letters than the limit if dead letters are large', async () => {
    const all = letters(9).map((each, n) => ({ ...each, raw: bytes(400 * 1024, n) }));
    await store.put(all);
    const found = await pages(10);
    expect(found.flat().map(digested)).toStrictEqual(all.toReversed().map(digested));
    for (const page of found) {
      const size = page.reduce((sum, { raw }) => sum + raw.byteLength, 0);
      // Encoded in Base64, the page must be smaller than Lambda's response limit of 6 MB.
      expect(size).toBeLessThanOrEqual(3 * 1024 * 1024);
    }
  });

  it('is complete even if a partition exceeds the maximum size of a DynamoDB response', async () => {
    const all = letters(40);
    await store.put(all);
    const together = Map.groupBy(await items(), ({ pk }) => pk!.S!);
    const most = [...together.values()].toSorted((a, b) => b.length - a.length)[0]!;
    const large = new Set(most.map(({ sk }) => sk!.S!));
    const enlarged = all.filter(({ id }) => large.has(id));
    await store.put(enlarged.map((each) => ({ ...each, raw: bytes(340 * 1024) })));
    expect(idsOf((await pages(40)).flat())).toEqual(newestFirst(all));
  });
});

describe('a claim to a dead letter', () => {
  it('is granted to only one of several callers', async () => {
    await store.put([letter(1)]);
    const claims = await Promise.all(Array.from({ length: 8 }, () => store.claim(letter(1).id)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await store.get(letter(1).id)).toEqual(letter(1));
  });

  it('is granted again after a release, and after half a minute', async () => {
    await store.put([letter(1)]);
    expect(await store.claim(letter(1).id)).toBe(true);
    await store.release(letter(1).id);
    expect(await store.claim(letter(1).id)).toBe(true);
    expect(await store.claim(letter(1).id)).toBe(false);
    await clock.advance(30_000);
    expect(await store.claim(letter(1).id)).toBe(true);
  });

  it('is not granted for a dead letter that does not exist, and does not create the dead letter', async () => {
    expect(await store.claim(letter(1).id)).toBe(false);
    await store.release(letter(1).id);
    expect(await store.get(letter(1).id)).toBeUndefined();
  });
});
