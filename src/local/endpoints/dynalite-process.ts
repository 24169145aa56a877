import dynalite from 'dynalite';
import db from 'dynalite/db/index.js';
import { serve } from './serve.ts';

await serve(async (path) => {
  if (path !== null) {
    // Finds out that the database does not open while there is somebody to tell.
    const store = db.create({ path });
    await store.db.open();
    await store.db.close();
  }
  return dynalite({
    ...(path !== null && { path }),
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
  });
});
