import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Store } from 'dynalite/db/index.js';
import { type Clock, systemClock } from '../../common/clock.ts';
import { announcer } from '../endpoints/announcer.ts';
import { ChangeStreams, type StreamTimes } from './change-streams/change-streams.ts';
import { acceptStreamSpecification, updateStream } from './change-streams/stream-specification.ts';
import { streamsOperations } from './change-streams/streams-operations.ts';
import type { JsonOperation } from './json-operations.ts';
import { TimeToLive } from './time-to-live/time-to-live.ts';
import { timeToLiveOperations } from './time-to-live/time-to-live-operations.ts';
import { deleteExpiredTokens } from './transactions/idempotent-request.ts';
import { updateIndexes } from './update-indexes.ts';

/** The change streams and the expiry of items (time to live) in a store. */
export interface Changes {
  /** The operations on change streams and on the time to live, by `X-Amz-Target`. */
  readonly operations: Readonly<Record<string, JsonOperation>>;
  /** Reads the streams and settings from the database, which must be open, and starts the maintenance. */
  readonly start: (server: Server, maintenanceIntervalMs: number) => Promise<void>;
}

/** Records changes in change streams and deletes expired items. */
export function followChanges(
  store: Store,
  times: StreamTimes,
  clock: Pick<Clock, 'now'> = systemClock,
): Changes {
  acceptStreamSpecification();
  const streams = new ChangeStreams(store, clock, times);
  const onExpiry = streams.markExpiring.bind(streams);
  const timeToLive = new TimeToLive(store, { clock, onExpiry });
  const changeStream = updateStream(store);
  const changeIndexes = updateIndexes(store);
  return {
    operations: {
      'DynamoDB_20120810.UpdateTable': (request) => changeStream(request) ?? changeIndexes(request),
      ...timeToLiveOperations(store, timeToLive),
      ...streamsOperations(streams, clock),
    },
    async start(server, maintenanceIntervalMs) {
      await streams.load();
      await timeToLive.load();
      const announce = announceWrites(server, streams);
      const maintain = async () => {
        await deleteExpiredTokens(store, clock.now());
        await streams.maintain();
        if ((await timeToLive.deleteExpired()) > 0) announce();
      };
      await streams.maintain();
      void repeat(maintain, maintenanceIntervalMs);
    },
  };
}

/**
 * Announces write requests to the parent process, which then reads the streams immediately. Returns a function that
 * announces a write without a request.
 */
function announceWrites(server: Server, streams: ChangeStreams): () => void {
  const announceTable = announcer();
  const announce = (): void => {
    for (const table of streams.recordedTables) announceTable(table);
  };
  server.on('request', ({ headers }: IncomingMessage, response: ServerResponse) => {
    if (isWrite(headers['x-amz-target'])) response.once('finish', announce);
  });
  return announce;
}

const isWrite = (target: unknown): boolean =>
  /^DynamoDB_.*\.(Put|Update|Delete)Item$|\.(Batch|Transact)?(Write|Execute)/.test(String(target));

/** Calls a function at an interval. If the function fails, the process ends. */
async function repeat(work: () => Promise<void>, intervalMs: number): Promise<void> {
  for (;;) {
    await systemClock.sleep(intervalMs);
    await work();
  }
}
