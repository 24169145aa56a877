import { startDynamoDb } from '../../../src/aws-local/endpoints/index.ts';
import type { Side } from '../side.ts';
import { runOnStore } from '../store/store-client.ts';

/** Castore on the DynamoDB endpoint that Milepost itself runs on here. */
export const castore: Side = {
  name: 'castore',
  maximumEventsPerInstance: 1_000,
  facts: {
    disk: 'not synced by the local endpoint (as for Milepost); DynamoDB itself does',
    duplicates:
      'none are noticed: two writers of one version conflict, and an event that comes again is the next version',
    interleaving: '32 instances at once, each with one event at a time: a query and a put an event',
    otherwise:
      'an event store: the state is folded from all events at each event, so that a hot instance is given only 1,000; no stream; the events are made in the application itself; app side: the application',
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
