import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { archiveColumns } from '../../src/aws/archive/archive-columns.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/archive.md'), 'utf8');

describe('docs/archive.md', () => {
  it('lists every column with its type', () => {
    const rows = page.split('\n').filter((line) => /^\| `\w+` \|/.test(line));
    expect(rows).toEqual(
      Object.entries(archiveColumns).map(
        ([name, { type, about }]) => `| \`${name}\` | ${type} | ${about} |`,
      ),
    );
  });

  it('queries existing columns', () => {
    const known = new Set(['model', 'day', ...Object.keys(archiveColumns)]);
    // Names that the query defines, and keywords of SQL.
    const own = /\bAS (\w+)/g;
    const queries = [...page.matchAll(/```sql\n([^`]+)```/g)].map(([, text]) => text!);
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
