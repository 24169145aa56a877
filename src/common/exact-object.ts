import * as v from 'valibot';
import { didYouMean } from './closest-word.ts';

/** Returns the schema of an object that allows only the given keys. Issues name missing and unknown keys. */
export const exactObject = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.strictObject(entries, ({ expected, received, input }) => {
    if (expected === 'never')
      return `unknown key${didYouMean(String(input), Object.keys(entries))}`;
    // For a missing key, the path names the key, and `expected` is the key's name in quotation marks.
    if (expected !== 'Object') return 'is missing';
    return `must be an object with the keys ${Object.keys(entries).join(', ')}; got ${received}`;
  });
