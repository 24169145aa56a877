import db, { type Store, type StoredStream } from 'kinesalite/db/index.js';

/**
 * Makes kinesalite keep the descriptions of streams in memory. Otherwise, kinesalite would read a description from the
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
  /** The descriptions by stream name, as JSON, because kinesalite changes the objects that it receives. */
  const cached = new Map<string, string>();
  /** Increases with each change so that the result of a read that began before the change is not cached. */
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
      return queueMicrotask(() => done(null, numberedFromOne(JSON.parse(json) as StoredStream)));
    const before = changes;
    getStored(name, (error, stream) => {
      if (!error && changes === before) cached.set(name, JSON.stringify(stream));
      done(error, stream && numberedFromOne(stream));
    });
  };
  return store;
}

/**
 * Gives the first record in each group of five shards the index 1. An iterator for an empty shard has the index 0 and
 * the current time, and would skip a record with the index 0 whose write began in the previous second.
 */
function numberedFromOne(stream: StoredStream): StoredStream {
  const groups = Math.ceil(stream.Shards.length / 5);
  const _seqIx = Array.from({ length: groups }, (_, group) => stream._seqIx[group] || 1);
  return { ...stream, _seqIx };
}
