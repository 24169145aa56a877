import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { extractProse } from '../../scripts/prose/extract-prose.ts';
import type { Passage } from '../../scripts/prose/passage.ts';
import { checkStyle } from '../../scripts/prose/style.ts';

function proseOf(name: string, text: string) {
  const file = join(mkdtempSync(join(tmpdir(), 'prose-')), name);
  writeFileSync(file, text);
  return extractProse(file).map(({ line, kind, text: words }) => ({ line, kind, text: words }));
}

const docstring = (text: string): Passage => ({ file: 'a.ts', line: 10, kind: 'docstring', text });

describe('extractProse', () => {
  it('finds docstrings, comments and messages with their lines', () => {
    const source = [
      '/** Parses a line. */',
      'export function parse(line: string) {',
      '  // Empty lines',
      '  // end a record.',
      "  if (!line) throw new Error('the line must not be empty');",
      '  return `read ${line} from the file`;',
      '}',
    ].join('\n');
    expect(proseOf('parse.ts', source)).toEqual([
      { line: 1, kind: 'docstring', text: 'Parses a line.' },
      { line: 3, kind: 'comment', text: 'Empty lines\nend a record.' },
      { line: 5, kind: 'message', text: 'the line must not be empty' },
      { line: 6, kind: 'message', text: 'read `x` from the file' },
    ]);
  });

  it('skips the example in a docstring and reports correct line numbers after it', () => {
    const source =
      '/**\n * Adds.\n * @example\n * addd(1);\n * @returns the sum\n */\nexport const add = 1;';
    expect(proseOf('add.ts', source)).toEqual([
      { line: 1, kind: 'docstring', text: 'Adds.\n\n\nthe sum' },
    ]);
  });

  it('finds test names', () => {
    const source = "describe('parse', () => {\n  it.each([1])('reads %j', () => {});\n});";
    expect(proseOf('parse.test.ts', source)).toEqual([
      { line: 1, kind: 'test name', text: 'parse' },
      { line: 2, kind: 'test name', text: 'reads %j' },
    ]);
  });

  it('returns a page as a whole, without its front matter', () => {
    expect(proseOf('page.md', '---\ntitle: x\n---\n# Page\n')).toEqual([
      { line: 1, kind: 'page', text: '\n\n\n# Page\n' },
    ]);
  });
});

describe('checkStyle', () => {
  it('reports the line of each finding', () => {
    expect(checkStyle(docstring('Reads a page.\nIt goes by time.'))).toEqual([
      expect.objectContaining({ file: 'a.ts', line: 11, excerpt: 'goes by' }),
    ]);
  });

  it('reports a docstring that starts with a question word', () => {
    expect(checkStyle(docstring('What a commit changes.'))).toHaveLength(1);
    expect(checkStyle(docstring('The changes of a commit.'))).toEqual([]);
  });

  it('skips code', () => {
    expect(checkStyle(docstring('Runs `goes by`.\n```\ngoes by\n```'))).toEqual([]);
  });
});
