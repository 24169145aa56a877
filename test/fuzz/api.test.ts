import { expect, it } from 'vitest';
import { startDatabase } from '../aws/tables.ts';
import { must } from './accounts.ts';
import { anyCall } from './any-call.ts';
import { ApiWorld, databaseStores, memoryStores } from './api-world.ts';
import { batchOf } from './batch.ts';
import { type Call, send } from './http-call.ts';
import { cleanPrototypes } from './prototypes.ts';
import { checkReply } from './replies.ts';
import { fuzz, runs, timeLimit } from './settings.ts';

const callsInACase = 50;
/**
 * The number of calls with DynamoDB. It is smaller than with stores in memory, because each call makes many requests.
 */
const runsOnDatabase = Math.ceil(runs / 20);

/** Makes the calls in sequence and counts the responses by status. */
async function makeCalls(
  world: ApiWorld,
  calls: readonly Call[],
  counts: Map<string, number>,
): Promise<void> {
  for (const call of calls) {
    const before = world.stream.records.length;
    const reply = await send(world.app, call);
    must(
      world.errors.length === 0,
      () => `the API logged an error: ${(world.errors[0] as Error).stack}`,
    );
    if (reply) checkReply(call, reply, world.stream.records.slice(before));
    const key = String(reply?.status);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  cleanPrototypes();
}

/** Returns the number of calls, or 0 if one of the expected statuses has at most 2% of the responses. */
function answered(counts: ReadonlyMap<string, number>): number {
  const calls = counts.values().reduce((sum, count) => sum + count, 0);
  const often = (status: string) => (counts.get(status) ?? 0) > calls / 50;
  return ['200', '202', '400', '404'].every(often) ? calls : 0;
}

it('any call of the API with stores in memory receives a response that conforms to the contract', {
  timeout: timeLimit,
}, async () => {
  const counts = new Map<string, number>();
  const first = new ApiWorld(memoryStores());
  await first.fill();
  const calls = batchOf(anyCall(await first.known()), callsInACase);
  await fuzz(calls, Math.ceil(runs / callsInACase), async (some) => {
    const world = new ApiWorld(memoryStores());
    await world.fill();
    await makeCalls(world, some, counts);
  });
  expect(answered(counts)).toBeGreaterThanOrEqual(runs);
});

it('any call of the API with DynamoDB receives a response that conforms to the contract', {
  timeout: timeLimit,
}, async () => {
  await using database = await startDatabase();
  const counts = new Map<string, number>();
  const world = new ApiWorld(await databaseStores(database));
  await world.fill();
  const calls = batchOf(anyCall(await world.known()), callsInACase);
  await fuzz(calls, Math.ceil(runsOnDatabase / callsInACase), async (some) => {
    world.errors.length = 0;
    await world.refill();
    await makeCalls(world, some, counts);
  });
  expect(answered(counts)).toBeGreaterThanOrEqual(runsOnDatabase);
});
