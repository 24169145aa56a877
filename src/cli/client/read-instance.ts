import * as v from 'valibot';
import type { InstanceKey } from '../../core/event/event.ts';
import { refusalOfPath } from '../../routes/request-path.ts';
import { type ApiClient, ApiError, type ApiResponse } from './api-client.ts';
import { instancePath } from './api-paths.ts';

const named = v.object({ model: v.string(), transaction: v.string() });
const badRequest = 400;
const notFound = 404;

/**
 * Reads an instance by its path. Not every transaction id can be part of one: an id may have dot segments, and
 * API Gateway takes an id with `%` or `?`, or one that ends in `/history`, for something else. The answer is
 * certainly that instance.
 *
 * @throws ApiError `refused` with status 400 or 404 where the path does not lead to it.
 */
export async function readInstance(api: ApiClient, key: InstanceKey): Promise<ApiResponse> {
  const refusal = refusalOfPath(key.transaction);
  if (refusal !== undefined) throw new ApiError('refused', refusal, { status: badRequest });
  const answer = await api.get(instancePath(key.model, key.transaction));
  const { success, output } = v.safeParse(named, answer.read(v.unknown()));
  if (success && output.model === key.model && output.transaction === key.transaction)
    return answer;
  throw new ApiError('refused', 'its path leads to something else', { status: badRequest });
}

/** Told of an instance that is left out because it cannot be read by its path, and why. */
export type OnSkipped = (key: InstanceKey, reason: string) => void;

/**
 * Tells of an instance of a list which cannot be read by its path.
 *
 * @param error why reading it failed; any other failure is thrown again.
 */
export function skipUnreadable(key: InstanceKey, error: unknown, onSkipped: OnSkipped): undefined {
  const isOfPath =
    error instanceof ApiError &&
    error.code === 'refused' &&
    (error.status === badRequest || error.status === notFound);
  if (!isOfPath) throw error;
  onSkipped(key, error.message);
}
