import pMap from 'p-map';
import { inChunks } from '../../common/chunks.ts';
import { type Clock, systemClock } from '../../common/clock.ts';
import { MilepostError } from '../../core/errors.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';

/** A request takes so many keys. */
const maximumKeys = 100;
/** So many requests at the same time. */
const concurrency = 4;
/** How often keys are asked for while DynamoDB processes none of them. */
const attempts = 8;
/** The longest wait before the second attempt and before any other one, in milliseconds. */
const firstWait = 50;
const maximumWait = 2_000;

/**
 * The items with these keys, strongly consistent, in no set order; none where there is none.
 *
 * DynamoDB leaves keys unprocessed when an answer would have more than 16 MB, and when it throttles them.
 * They are asked for again after a random wait, whose limit doubles for as long as nothing is processed.
 *
 * @param keys each of them once.
 * @param attributes those that are wanted; all of them where left out.
 * @throws MilepostError `busy` when DynamoDB processes none of the keys, even when asked several times
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
 */
export async function batchGet(
  client: DynamoDb,
  table: string,
  keys: readonly Item[],
  attributes?: readonly string[],
  clock: Clock = systemClock,
): Promise<Item[]> {
  const projection = attributes && projectionOf(attributes);
  const all = async (wanted: Item[]): Promise<Item[]> => {
    const found: Item[] = [];
    let inVain = 0;
    for (let Keys = wanted; ; ) {
      const { Responses, UnprocessedKeys } = await client.batchGetItem({
        RequestItems: { [table]: { Keys, ConsistentRead: true, ...projection } },
      });
      if (!Responses) throw new Error('BatchGetItem answered without Responses');
      found.push(...(Responses[table] ?? []));
      const left = UnprocessedKeys?.[table]?.Keys ?? [];
      if (left.length === 0) return found;
      inVain = left.length < Keys.length ? 0 : inVain + 1;
      if (inVain === attempts)
        throw new MilepostError('busy', `${table} gave none of ${left.length} items for now`);
      await clock.sleep(Math.random() * Math.min(maximumWait, firstWait * 2 ** inVain));
      Keys = left;
    }
  };
  return (await pMap(inChunks(keys, maximumKeys), all, { concurrency })).flat();
}

/** The parameters of a request that make it return these attributes alone. */
export const projectionOf = (attributes: readonly string[]) => ({
  ProjectionExpression: attributes.map((name) => `#${name}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(attributes.map((name) => [`#${name}`, name])),
});
