import { hash } from 'node:crypto';
import type { Operation, Store } from 'dynalite/db/index.js';
import type { Clock } from '../../../common/clock.ts';
import { DynamoDbError } from '../dynamodb-error.ts';
import type { ItemAddress } from './with-locked-items.ts';

/** How long repeating a request has no effect, in milliseconds. */
const validityMs = 10 * 60_000;

/** A request that was executed, as stored in the database. */
interface ExecutedRequest {
  readonly digest: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * A request with a `ClientRequestToken`. Executing the request again within ten minutes has no effect. While the first
 * request is being executed, a repeated request waits for the lock, whereas AWS rejects it with
 * `TransactionInProgressException`.
 *
 * @see
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-apis-txwriteitems-idempotency
 */
export class IdempotentRequest {
  /** The lock that concurrent requests with the same token share. No table can have this name. */
  readonly lock: ItemAddress;
  readonly #store: Store;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #token: string;
  readonly #digest: string;

  /** @param actions the parameter that must be the same in a repeated request. */
  constructor(store: Store, clock: Pick<Clock, 'now'>, token: string, actions: unknown) {
    this.lock = { table: { TableName: '~tokens' }, key: token };
    this.#store = store;
    this.#clock = clock;
    this.#token = token;
    this.#digest = hash('sha256', JSON.stringify(actions, sortMembers));
  }

  /**
   * Returns true if the request was already executed. Call it while the lock is held.
   *
   * @throws DynamoDbError `IdempotentParameterMismatchException` if the token belongs to another request.
   */
  get isRepeated(): boolean {
    const now = this.#clock.now();
    for (const period of [periodOf(now), periodOf(now) - 1]) {
      const found = this.#store.db.getSync(tokenKey(period, this.#token));
      if (found === undefined) continue;
      const { digest, at } = found as ExecutedRequest;
      if (now - at >= validityMs) continue;
      if (digest === this.#digest) return true;
      throw new DynamoDbError(
        'IdempotentParameterMismatchException',
        'Specified idempotent token was used with different request parameters within the idempotency window',
      );
    }
    return false;
  }

  /** The operation that must be written atomically with the effects of the request. */
  get operation(): Operation {
    const at = this.#clock.now();
    const value: ExecutedRequest = { digest: this.#digest, at };
    return { type: 'put', key: tokenKey(periodOf(at), this.#token), value };
  }
}

/** Returns undefined if the request has no token. */
export const idempotentRequest = (
  store: Store,
  clock: Pick<Clock, 'now'>,
  token: string | undefined,
  actions: unknown,
): IdempotentRequest | undefined =>
  token ? new IdempotentRequest(store, clock, token, actions) : undefined;

/** Deletes the tokens that are no longer valid. */
export const deleteExpiredTokens = ({ db }: Store, now: number): Promise<void> =>
  db.clear({ gte: 'token~', lt: `token~${periodOf(now) - 1}` });

/** Keys start with their ten-minute period so that expired tokens can be deleted without reading the other tokens. */
const tokenKey = (period: number, token: string) => `token~${period}~${token}`;

const periodOf = (time: number) => Math.floor(time / validityMs);

/** Sorts the members of objects because some SDKs send the attributes of a repeated request in a different order. */
function sortMembers(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
