import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareFolder } from './data-folder.ts';
import { findDynoxide, startDynoxide } from './dynoxide.ts';
import type { Endpoint, EndpointOptions } from './endpoint.ts';
import { EndpointError } from './errors.ts';
import { startJavaScript } from './javascript-process.ts';

const PATIENCE_MS = 1_000;
const BETWEEN_TRIES_MS = 50;

/** `EndpointOptions`, and which implementation; by default the best one on this platform. */
export interface DynamoDbOptions extends EndpointOptions {
  readonly implementation?: 'dynoxide' | 'dynalite';
}

/** Starts a DynamoDB endpoint. Resolves when it answers; throws `EndpointError`. */
export async function startDynamoDb(options: DynamoDbOptions): Promise<Endpoint> {
  const dynoxide = options.implementation === 'dynalite' ? null : findDynoxide();
  if (dynoxide !== null) {
    const path = await place(options.dataFolder, 'dynamodb-dynoxide');
    const file = path && join(path, 'dynamodb.sqlite');
    return await persist(() => startDynoxide(dynoxide, { port: options.port, path: file }));
  }
  if (options.implementation === 'dynoxide') {
    throw new EndpointError('no-implementation', 'dynoxide has no build for this platform');
  }
  const path = await place(options.dataFolder, 'dynamodb-dynalite');
  return await persist(() => startJavaScript('dynalite', { port: options.port, path }));
}

/** Starts a Kinesis endpoint. Resolves when it answers; throws `EndpointError`. */
export async function startKinesis(options: EndpointOptions): Promise<Endpoint> {
  const path = await place(options.dataFolder, 'kinesis');
  return await persist(() => startJavaScript('kinesalite', { port: options.port, path }));
}

async function place(dataFolder: string | null, name: string): Promise<string | null> {
  if (dataFolder === null) return null;
  const folder = join(dataFolder, name);
  await prepareFolder(folder);
  return folder;
}

/**
 * After a kill -9, the endpoints of the process before may still be on their way out when this one
 * starts, holding the port or the database for a moment longer.
 */
async function persist(start: () => Promise<Endpoint>): Promise<Endpoint> {
  const patienceEnds = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      const code = error instanceof EndpointError ? error.code : undefined;
      const passing = code === 'port-in-use' || code === 'data-folder';
      if (!passing || Date.now() > patienceEnds) throw error;
      await sleep(BETWEEN_TRIES_MS);
    }
  }
}
