import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EndpointError } from '../server/endpoint-error.ts';
import { prepareFolder } from './data-folder.ts';
import type { Endpoint, EndpointOptions } from './endpoint.ts';
import { startNodeProcess } from './node-process.ts';

const retryPeriodMs = 1_000;
const retryIntervalMs = 200;

/** Starts a DynamoDB endpoint and resolves when it is ready. Throws an `EndpointError` if it fails to start. */
export function startDynamoDb(options: EndpointOptions): Promise<Endpoint> {
  return start('dynalite', 'dynamodb', options);
}

/** Starts a Kinesis endpoint and resolves when it is ready. Throws an `EndpointError` if it fails to start. */
export function startKinesis(options: EndpointOptions): Promise<Endpoint> {
  return start('kinesalite', 'kinesis', options);
}

async function start(
  implementation: 'dynalite' | 'kinesalite',
  place: string,
  { host = '127.0.0.1', port, dataFolder, maintenance }: EndpointOptions,
): Promise<Endpoint> {
  const path = dataFolder === null ? null : join(dataFolder, place);
  if (path !== null) await prepareFolder(path);
  // After a `kill -9`, the endpoints of the previous run may still be exiting and briefly hold the port or the
  // database.
  const retryUntil = Date.now() + retryPeriodMs;
  for (;;) {
    try {
      return await startNodeProcess(implementation, { host, port, path, maintenance });
    } catch (error) {
      const code = error instanceof EndpointError ? error.code : undefined;
      const isTransient = code === 'port-in-use' || code === 'data-folder';
      if (!isTransient || Date.now() > retryUntil) throw error;
      await sleep(retryIntervalMs);
    }
  }
}
