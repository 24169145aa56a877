import type { Functions } from './functions.ts';

interface LambdaResponse {
  readonly status: number;
  readonly body: string;
}

const concurrency = /^\/\d{4}-\d\d-\d\d\/functions\/([^/]+)\/concurrency$/;

/**
 * Handles the operations on concurrency, which the local Lambda endpoint does not have. Returns undefined for any other
 * operation.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionConcurrency.html
 */
export function answerConcurrency(
  functions: Functions,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: string },
): LambdaResponse | undefined {
  if (path.includes('/account-settings')) return json({ AccountLimit: accountLimit(functions) });
  const [, name] = concurrency.exec(path) ?? [];
  if (name === undefined) return undefined;
  const shown = () => {
    const { reservedConcurrency } = functions.named(name);
    return json(
      reservedConcurrency === undefined || functions.isStarved(name)
        ? {}
        : { ReservedConcurrentExecutions: reservedConcurrency },
    );
  };
  if (method === 'GET') return shown();
  const reservedConcurrency =
    method === 'DELETE'
      ? undefined
      : (JSON.parse(body) as { ReservedConcurrentExecutions: number }).ReservedConcurrentExecutions;
  functions.change(name, { reservedConcurrency });
  return method === 'DELETE' ? { status: 204, body: '' } : shown();
}

/** The default limit on concurrent executions in an account. */
const total = 1_000;

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_AccountLimit.html */
function accountLimit(functions: Functions) {
  const reserved = functions
    .all()
    .filter(({ name }) => !functions.isStarved(name))
    .reduce((sum, { reservedConcurrency = 0 }) => sum + reservedConcurrency, 0);
  return {
    ConcurrentExecutions: total,
    UnreservedConcurrentExecutions: total - reserved - functions.reservedByOthers,
  };
}

const json = (value: object): LambdaResponse => ({ status: 200, body: JSON.stringify(value) });
