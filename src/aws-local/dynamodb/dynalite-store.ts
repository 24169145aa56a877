import type { Server } from 'node:http';
import dynalite from 'dynalite';
import db, { type Store } from 'dynalite/db/index.js';
import { correctDynalite } from './correct-dynalite.ts';
import { optimizeStore } from './optimize-store.ts';

/**
 * Creates a dynalite server that keeps its data in the folder `path`, or in memory if `path` is null. Also returns the
 * server's store, which dynalite does not expose.
 */
export function createDynalite(path: string | null): { server: Server; store: Store } {
  correctDynalite();
  const { create } = db;
  let store: Store | undefined;
  db.create = (options) => {
    store = create(options);
    optimizeStore(store);
    return store;
  };
  const delays = { createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 };
  const server = dynalite({ ...(path !== null && { path }), ...delays });
  db.create = create;
  if (store === undefined) throw new Error('dynalite created no store');
  return { server, store };
}
