import * as v from 'valibot';

/**
 * Creates the schema of an object that the API description lists by name so that generated clients have a type for it.
 */
export const named = <const Entries extends v.ObjectEntries>(name: string, entries: Entries) =>
  v.pipe(v.object(entries), v.title(name));
