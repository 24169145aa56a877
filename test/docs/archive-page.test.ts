import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { archiveColumns } from '../../src/aws/archive/archive-columns.ts';

const readDocs = (path: string) => readFile(join(import.meta.dirname, '../../docs', path), 'utf8');
const reference = await readDocs('reference/archive-table.md');
const guide = await readDocs('how-to/query-the-archive.md');

describe('the pages about the archive', () => {
  it('list every column with its type and meaning', () => {
    const rows = reference.split('\n').filter((line) => /^\| `\w+` \|/.test(line));
    expect(rows).toEqual(
      Object.entries(archiveColumns).map(
        ([name, { type, about }]) => `| \`${name}\` | ${type} | ${about} |`,
      ),
    );
  });

  it('query only existing columns', () => {
    const known = new Set(['model', 'day', ...Object.keys(archiveColumns)]);
    // These names are defined by the queries.
    const own = /\bAS (\w+)/g;
    const queries = [...guide.matchAll(/```sql\n([^`]+)```/g)].map(([, text]) => text!);
    expect(queries.length).toBeGreaterThan(4);
    for (const query of queries) {
      const names = new Set([...query.matchAll(own)].map(([, name]) => name));
      const words = query.replaceAll(/'[^']*'/g, '').matchAll(/\b[a-z]\w*\b(?!\s*\()/g);
      const unknown = [...words]
        .map(([word]) => word)
        .filter((word) => !known.has(word) && !names.has(word))
        .filter(
          (word) =>
            !['history', 'events', 'events_2026', 'format', 'partitioned_by'].includes(word),
        );
      expect(unknown).toEqual([]);
    }
  });
});
