import db, { type Store, type StoredStream } from 'kinesalite/db/index.js';

/**
 * Makes kinesalite keep the descriptions of streams in memory. Otherwise, kinesalite reads a description from the
 * database for each request, which takes a round trip through the thread pool.
 */
export function cacheStreams(): void {
  const { create } = db;
  db.create = (options) => withCache(create(options));
}

function withCache(store: Store): Store {
  const { metaDb } = store;
  const put = metaDb.put.bind(metaDb);
  const del = metaDb.del.bind(metaDb);
  const getStored = store.getStream;
  /** The descriptions by name of the stream, as JSON, because kinesalite changes the objects that it receives. */
  const cached = new Map<string, string>();
  /**
   * Increases with each change, so that the result of a read that began before a change is not cached after the change.
   */
  let changes = 0;
  metaDb.put = (name, stream, done) => {
    const json = JSON.stringify(stream);
    return put(name, stream, (error) => {
      changes++;
      if (error) cached.delete(name);
      else cached.set(name, json);
      done?.(error);
    });
  };
  metaDb.del = (name, done) =>
    del(name, (error) => {
      changes++;
      cached.delete(name);
      done?.(error);
    });
  store.getStream = (name, done) => {
    const json = cached.get(name);
    if (json !== undefined)
      return queueMicrotask(() => done(null, JSON.parse(json) as StoredStream));
    const before = changes;
    getStored(name, (error, stream) => {
      if (!error && changes === before) cached.set(name, JSON.stringify(stream));
      done(error, stream);
    });
  };
  return store;
}
