import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { extractProse, hasProse } from '../../scripts/prose/extract-prose.ts';
import type { Passage } from '../../scripts/prose/passage.ts';
import { checkStyle } from '../../scripts/prose/style.ts';
import { folderForFile } from '../support/after-file.ts';

const folder = await folderForFile();

function proseOf(name: string, text: string) {
  const file = join(folder, name);
  writeFileSync(file, text);
  return extractProse(file).map(({ line, kind, text: words }) => ({ line, kind, text: words }));
}

const docstring = (text: string): Passage => ({ file: 'a.ts', line: 10, kind: 'docstring', text });

describe('extractProse', () => {
  it('finds docstrings, comments, and messages with their lines', () => {
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

  it('finds the visible text of elements and attributes', () => {
    const source = [
      'const hint = (',
      '  <p title="Last week" class="faint">',
      '    No <code>put</code> in {days} days, <b>as usual</b>',
      '  </p>',
      ');',
    ].join('\n');
    expect(proseOf('hint.tsx', source)).toEqual([
      { line: 2, kind: 'text', text: 'No `x` in `x` days, as usual' },
      { line: 2, kind: 'text', text: 'Last week' },
      { line: 3, kind: 'text', text: 'as usual' },
    ]);
  });

  it.each([
    ['a.py', '"""Adds two numbers."""\n', 'docstring', 'Adds two numbers.'],
    ['a.py', 'def test_adds_two_numbers(self):\n', 'test name', 'adds two numbers'],
    ['a.py', 'raise ValueError(f"there is no # in {name}")', 'message', 'there is no # in `x`'],
    ['a.sh', '#!/bin/sh\nput # Sends an event.\n', 'comment', 'Sends an event.'],
    ['a.zsh', "echo 'the model # 7 is unknown'", 'message', 'the model # 7 is unknown'],
    ['a.go', '// Sends "one" event,\n// or two.\n', 'comment', 'Sends "one" event,\nor two.'],
    ['a.java', '/**\n * Sends an event.\n */\n', 'docstring', 'Sends an event.'],
    ['a.css', 'a { /* Keeps the height. */ }', 'comment', 'Keeps the height.'],
    ['a.json', '{ "title": "The version of it" }', 'message', 'The version of it'],
    ['a.yml', '- label: How to reproduce it', 'message', 'How to reproduce it'],
    ['a.yml', 'value: |\n  Omit all personal data.', 'message', 'Omit all personal data.'],
    ['a.vue', '<p><!-- Without a frame. --></p>', 'comment', 'Without a frame.'],
    ['a.html', '<img src="x" alt="The start of the page">', 'message', 'The start of the page'],
    ['a.html', '<b class="x">Log in</b>', 'text', 'Log in'],
    ['Dockerfile', 'RUN npm ci\n# The image has Git.\n', 'comment', 'The image has Git.'],
  ])('finds the prose of %s in %j', (name, source, kind, text) => {
    expect(proseOf(name, source)).toEqual([{ line: expect.any(Number), kind, text }]);
  });

  it('reports the lines of comments in other languages', () => {
    expect(proseOf('a.toml', 'a = 1\n\n# Two\n# lines.\nb = 2 # One.\n')).toEqual([
      { line: 3, kind: 'comment', text: 'Two\nlines.' },
      { line: 5, kind: 'comment', text: 'One.' },
    ]);
  });

  it('does not read files of unknown types', () => {
    expect(['a.png', 'LICENSE', 'a.txt', 'go.sum'].filter(hasProse)).toEqual([]);
  });

  it('returns an entire page without its front matter', () => {
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

  it('reports a docstring that starts with a question word, unless it defines a duration or a quantity', () => {
    expect(checkStyle(docstring('What a commit changes.'))).toHaveLength(1);
    expect(checkStyle(docstring('The changes of a commit.'))).toEqual([]);
    expect(checkStyle(docstring('How long a commit takes.'))).toEqual([]);
  });

  it('skips code', () => {
    expect(checkStyle(docstring('Runs `goes by`.\n```\ngoes by\n```'))).toEqual([]);
  });
});
