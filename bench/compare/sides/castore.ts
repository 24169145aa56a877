import { startDynamoDb } from '../../../src/aws-local/endpoints/index.ts';
import type { Side } from '../side.ts';
import { runOnStore } from '../store/store-client.ts';

/** Castore on the same local DynamoDB endpoint as Milepost. */
export const castore: Side = {
  name: 'castore',
  maximumEventsPerInstance: 1_000,
  facts: {
    disk: 'not synced by the local endpoint (as for Milepost); synced by DynamoDB in AWS',
    duplicates:
      'not detected: two writers of the same version conflict, but a repeated event becomes the next version',
    interleaving:
      '32 instances in parallel, each with one event at a time: a query and a put per event',
    otherwise:
      'an event store: each event folds the state from all previous events, so a hot instance receives only 1,000; no stream; the application itself creates the events; app side: the application',
  },
  missing: async () => undefined,
  paced: false,
  does: (_, mode) => mode === 'each',
  async start(folder) {
    const { url, pid, close } = await startDynamoDb({ port: 0, dataFolder: folder });
    return runOnStore('castore', url, {
      pid: pid!,
      role: 'endpoints',
      [Symbol.asyncDispose]: close,
    });
  },
};
