import * as v from 'valibot';
import type { InstanceKey } from '../../core/event/event.ts';
import { refusalOfPath } from '../../routes/request-path.ts';
import { type ApiClient, ApiError, type ApiResponse } from './api-client.ts';
import { instancePath } from './api-paths.ts';

const named = v.object({ model: v.string(), transaction: v.string() });
const badRequest = 400;
const notFound = 404;
const serverError = 500;

/**
 * Reads an instance by its path and checks that the response contains this instance. The check is necessary because
 * some transaction ids do not work in a path: with API Gateway, ids that contain `%` or `?` or that end in `/history`.
 * Ids with dot segments or control characters are rejected without a request.
 *
 * @throws ApiError `refused` with status 400 or 404 if the path does not lead to the instance.
 */
export async function readInstance(api: ApiClient, key: InstanceKey): Promise<ApiResponse> {
  const refusal = refusalOfPath(key.transaction);
  if (refusal !== undefined) throw new ApiError('refused', refusal, { status: badRequest });
  const answer = await api.get(instancePath(key.model, key.transaction));
  const { success, output } = v.safeParse(named, answer.read(v.unknown()));
  if (success && output.model === key.model && output.transaction === key.transaction)
    return answer;
  throw new ApiError(
    'refused',
    'this transaction id has no URL, because its path leads to another resource',
    {
      status: badRequest,
    },
  );
}

/** The part of an instance that is skipped: `rest` stands for the events after the last readable event. */
export type SkippedPart = 'instance' | 'events' | 'rest';

/** Called with the key of an instance that cannot be read completely, and the reason. */
export type OnSkipped = (key: InstanceKey, reason: string, part: SkippedPart) => void;

/**
 * Reports that an instance in a list is skipped because its URL path leads elsewhere, or because the service cannot
 * read its stored data.
 *
 * @param error the error from reading the instance. An error with another cause is thrown again.
 */
export function skipUnreadable(
  key: InstanceKey,
  error: unknown,
  part: SkippedPart,
  onSkipped: OnSkipped,
): undefined {
  const isOfInstance =
    error instanceof ApiError &&
    error.code === 'refused' &&
    [badRequest, notFound, serverError].includes(error.status ?? 0);
  if (!isOfInstance) throw error;
  onSkipped(key, error.message, part);
}
