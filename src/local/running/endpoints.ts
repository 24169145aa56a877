import { type Endpoint, startDynamoDb, startKinesis } from '../../aws-local/endpoints/index.ts';
import { withPortVariable } from '../../aws-local/server/port-variable.ts';
import { type LocalSettings, portVariables } from '../settings/settings.ts';

/** The endpoints that keep data, each in a process of its own. */
export interface Endpoints extends AsyncDisposable {
  readonly dynamodb: Endpoint;
  readonly kinesis: Endpoint;
  /** Resolves, with the reason, when an endpoint ends by itself. */
  readonly failed: Promise<string>;
}

/**
 * Starts the endpoints of DynamoDB and Kinesis.
 *
 * @param dataFolder The folder that keeps their data; null: in memory.
 * @throws StartError or EndpointError; then neither of them runs.
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
 * Waits for all, as `Promise.all` does, and where one fails for the others to settle.
 *
 * @param abort Ends the others early.
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

/** Resolves when an endpoint ends though nobody closed it. */
function unexpectedEnd(name: string, endpoint: Endpoint): Promise<string> {
  const unexpected = Promise.withResolvers<string>();
  void endpoint.exited.then(({ expected, signal, status, lastWords }) => {
    const how = signal ?? `status ${status}`;
    if (!expected) unexpected.resolve(`the ${name} endpoint ended (${how}) ${lastWords}`.trim());
  });
  return unexpected.promise;
}
