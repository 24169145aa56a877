import type { Lock } from 'dynalite/db/index.js';

/**
 * Creates a lock for the items of a table. It has the same interface as dynalite's lock, but is much faster for
 * many keys. Each key is locked in the order of the calls, so callers cannot deadlock.
 */
export function createItemLock(): Lock {
  /** The callers that are waiting for each locked key. */
  const waiting = new Map<string, (() => void)[]>();
  const unlock = (key: string) => {
    const next = waiting.get(key)?.shift();
    // Defer the next caller so that the current caller is notified first.
    if (next) setImmediate(next);
    else waiting.delete(key);
  };
  return (keyOrKeys, locked) => {
    const keys = typeof keyOrKeys === 'string' ? [keyOrKeys] : keyOrKeys;
    let missing = keys.length;
    const acquire = () => {
      missing -= 1;
      if (missing > 0) return;
      locked((done) => (error, value) => {
        keys.forEach(unlock);
        done(error, value);
      });
    };
    for (const key of keys) {
      const queue = waiting.get(key);
      if (queue) queue.push(acquire);
      else {
        waiting.set(key, []);
        acquire();
      }
    }
  };
}
