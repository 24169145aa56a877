import type { Functions } from './functions.ts';

interface LambdaResponse {
  readonly status: number;
  readonly body: string;
}

const concurrency = /^\/\d{4}-\d\d-\d\d\/functions\/([^/]+)\/concurrency$/;

/**
 * Answers the operations on concurrency, which the local Lambda endpoint does not have. Undefined for any other
 * operation.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionConcurrency.html
 */
export function answerConcurrency(
  functions: Functions,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: string },
): LambdaResponse | undefined {
  if (path.includes('/account-settings'))
    return json({
      AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 900 },
    });
  const [, name] = concurrency.exec(path) ?? [];
  if (name === undefined) return undefined;
  const shown = () => {
    const { reservedConcurrency } = functions.named(name);
    return json(
      reservedConcurrency === undefined
        ? {}
        : { ReservedConcurrentExecutions: reservedConcurrency },
    );
  };
  if (method === 'GET') return shown();
  const reservedConcurrency =
    method === 'DELETE'
      ? undefined
      : (JSON.parse(body) as { ReservedConcurrentExecutions: number }).ReservedConcurrentExecutions;
  functions.change(name, () => ({ reservedConcurrency }));
  return method === 'DELETE' ? { status: 204, body: '' } : shown();
}

const json = (value: object): LambdaResponse => ({ status: 200, body: JSON.stringify(value) });
