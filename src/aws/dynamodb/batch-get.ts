import pMap from 'p-map';
import { inChunks } from '../../common/chunks.ts';
import { type Clock, systemClock } from '../../common/clock.ts';
import { isBusy, MilepostError } from '../../core/errors.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { namePlaceholders } from './placeholders.ts';

/** The maximum number of keys per request. */
const maximumKeys = 100;
/** The maximum number of concurrent requests. */
const concurrency = 4;
/** The maximum number of consecutive attempts in which DynamoDB processes none of the keys. */
const attempts = 8;
/**
 * The upper limit of the random delay after an attempt that makes progress, and the maximum of this limit, in
 * milliseconds.
 */
const firstWait = 50;
const maximumWait = 2_000;

/** The error thrown when DynamoDB keeps throttling some keys in a batch. DynamoDB may have processed all other keys. */
export class UnprocessedKeysError extends MilepostError {
  readonly keys: readonly Item[];

  constructor(table: string, keys: readonly Item[], cause?: unknown) {
    const message = `the table ${table} returned none of ${keys.length} items; try again later`;
    super('busy', message, { cause });
    this.keys = keys;
  }
}

export interface BatchGetOptions {
  /** The attributes to read. Default: all attributes. */
  readonly attributes?: readonly string[];
  /** The clock for the delays between attempts. Default: the system clock. */
  readonly clock?: Clock;
  /**
   * True for a strongly consistent read, which reflects all earlier writes. An eventually consistent read costs half as
   * much, but can miss recent writes. Default: true.
   */
  readonly isConsistent?: boolean;
}

/**
 * Reads the items with the given keys, in no particular order. Missing items are omitted.
 *
 * DynamoDB returns unprocessed keys if a response would exceed 16 MB or if requests are throttled. This function
 * requests these keys again after a random delay. The upper limit of the delay doubles after each attempt in which
 * DynamoDB processes none of the keys. If throttling affects all keys of a request, DynamoDB returns an error instead
 * of unprocessed keys. The client has already retried such a request.
 *
 * @param keys the keys of the items, without duplicates.
 * @throws UnprocessedKeysError if DynamoDB processes none of the remaining keys in eight consecutive attempts, or keeps
 *   throttling a request with the remaining keys.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
 */
export async function batchGet(
  client: DynamoDb,
  table: string,
  keys: readonly Item[],
  { attributes, clock = systemClock, isConsistent = true }: BatchGetOptions = {},
): Promise<Item[]> {
  const projection = attributes && projectionOf(attributes);
  const all = async (wanted: Item[]): Promise<Item[]> => {
    const found: Item[] = [];
    let inVain = 0;
    for (let Keys = wanted; ; ) {
      const request = { Keys, ConsistentRead: isConsistent, ...projection };
      const { Responses, UnprocessedKeys } = await client
        .batchGetItem({ RequestItems: { [table]: request } })
        .catch((error: unknown) => {
          throw isBusy(error) ? new UnprocessedKeysError(table, Keys, error) : error;
        });
      if (!Responses) throw new Error('BatchGetItem returned no `Responses`');
      found.push(...(Responses[table] ?? []));
      const left = UnprocessedKeys?.[table]?.Keys ?? [];
      if (left.length === 0) return found;
      inVain = left.length < Keys.length ? 0 : inVain + 1;
      if (inVain === attempts) throw new UnprocessedKeysError(table, left);
      await clock.sleep(Math.random() * Math.min(maximumWait, firstWait * 2 ** inVain));
      Keys = left;
    }
  };
  return (await pMap(inChunks(keys, maximumKeys), all, { concurrency })).flat();
}

/** Returns the request parameters that limit the response to the given attributes. */
export const projectionOf = (attributes: readonly string[]) => ({
  ProjectionExpression: attributes.map((name) => `#${name}`).join(', '),
  ExpressionAttributeNames: namePlaceholders(attributes),
});
