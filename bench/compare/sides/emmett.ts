import type { Side } from '../side.ts';
import { runOnStore } from '../store/store-client.ts';
import { missingPostgres, startPostgres } from './postgres.ts';

/** Emmett's event store on PostgreSQL with its default settings. */
export const emmett: Side = {
  name: 'emmett',
  maximumEventsPerInstance: 1_000,
  facts: {
    disk: 'synced at each commit (PostgreSQL as it is installed: fsync and synchronous_commit on)',
    duplicates:
      'none are noticed: two writers of one version conflict, and an event that comes again is the next version',
    interleaving:
      '16 connections and instances at once, each with one event at a time: a read and an append an event',
    otherwise:
      'an event store: the state is folded from all events at each event, so that a hot instance is given only 1,000; no stream; the events are made in the application itself; app side: the application',
  },
  missing: missingPostgres,
  paced: false,
  does: (_, mode) => mode === 'each',
  async start(folder) {
    const server = await startPostgres(folder);
    return runOnStore('emmett', server.url, { ...server, role: 'server' });
  },
};
