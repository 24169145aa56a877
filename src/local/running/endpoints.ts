import { type Endpoint, startDynamoDb, startKinesis } from '../../aws-local/endpoints/index.ts';
import { withPortVariable } from '../../aws-local/server/port-variable.ts';
import { type LocalSettings, portVariables } from '../settings/settings.ts';

/** The endpoints that store data. Each endpoint runs in a separate process. */
export interface Endpoints extends AsyncDisposable {
  readonly dynamodb: Endpoint;
  readonly kinesis: Endpoint;
  /** Resolves with the reason if an endpoint exits unexpectedly. */
  readonly failed: Promise<string>;
}

/**
 * Starts the DynamoDB and Kinesis endpoints.
 *
 * @param dataFolder the folder for the endpoints' data, or null to keep the data in memory.
 * @throws StartError or EndpointError if an endpoint fails to start. In this case, neither endpoint keeps running.
 */
export async function startEndpoints(
  { host, ports }: Pick<LocalSettings, 'host' | 'ports'>,
  dataFolder: string | null,
): Promise<Endpoints> {
  await using started = new AsyncDisposableStack();
  const place = { host, dataFolder };
  const closing = async (variable: string, starting: Promise<Endpoint>) =>
    started.adopt(await withPortVariable(variable, starting), (endpoint) => endpoint.close());
  const [dynamodb, kinesis] = await allOrNone([
    closing(portVariables.dynamodb, startDynamoDb({ ...place, port: ports.dynamodb })),
    closing(portVariables.kinesis, startKinesis({ ...place, port: ports.kinesis })),
  ]);
  const running = started.move();
  return {
    dynamodb,
    kinesis,
    failed: Promise.race([unexpectedEnd('DynamoDB', dynamodb), unexpectedEnd('Kinesis', kinesis)]),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/**
 * Waits for all promises like `Promise.all`, but if one promise rejects, waits until the other promises have settled.
 *
 * @param abort aborted on the first rejection.
 */
export async function allOrNone<All extends readonly Promise<unknown>[] | []>(
  all: All,
  abort?: AbortController,
): Promise<{ -readonly [Index in keyof All]: Awaited<All[Index]> }> {
  try {
    return await Promise.all(all);
  } catch (error) {
    abort?.abort();
    await Promise.allSettled(all);
    throw error;
  }
}

/** Resolves when an endpoint exits without being closed. */
function unexpectedEnd(name: string, endpoint: Endpoint): Promise<string> {
  const unexpected = Promise.withResolvers<string>();
  void endpoint.exited.then(({ expected, signal, status, lastWords }) => {
    if (expected) return;
    const how = `${name} endpoint exited unexpectedly (${signal ?? `status ${status}`})`;
    const reason = lastWords.trim();
    unexpected.resolve(reason === '' ? `the ${how}` : `the ${how}: ${reason}`);
  });
  return unexpected.promise;
}
