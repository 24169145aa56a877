import type { Side } from '../side.ts';
import { runOnStore } from '../store/store-client.ts';
import { missingPostgres, startPostgres } from './postgres.ts';

/** Emmett's event store on PostgreSQL with its default settings. */
export const emmett: Side = {
  name: 'emmett',
  maximumEventsPerInstance: 1_000,
  facts: {
    disk: 'synced at each commit (PostgreSQL defaults: fsync and synchronous_commit on)',
    duplicates:
      'not detected: two writers of the same version conflict, but a repeated event becomes the next version',
    interleaving:
      '16 connections and instances in parallel, each with one event at a time: a read and an append per event',
    otherwise:
      'an event store: each event folds the state from all previous events, so a hot instance receives only 1,000; no stream; the application itself creates the events; app side: the application',
  },
  missing: missingPostgres,
  paced: false,
  does: (_, mode) => mode === 'each',
  async start(folder) {
    const server = await startPostgres(folder);
    return runOnStore('emmett', server.url, { ...server, role: 'server' });
  },
};
