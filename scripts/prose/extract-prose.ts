import { readFileSync } from 'node:fs';
import { commentReader } from './comment-prose.ts';
import type { Passage } from './passage.ts';
import { SourceProse } from './source-prose.ts';

/** Returns true for files whose prose the check can extract. */
export const hasProse = (file: string) => readerOf(file) !== undefined;

/**
 * Extracts the prose of a Markdown page, or the comments, messages, visible text, and test names of a file in another
 * language.
 */
export function extractProse(file: string): Passage[] {
  const read = readerOf(file);
  if (!read) throw new Error(`The prose check cannot read ${file}: its type is unknown.`);
  return read(readFileSync(file, 'utf8')).filter(({ text }) => /[a-z]{2}/i.test(text));
}

function readerOf(file: string): ((text: string) => Passage[]) | undefined {
  if (file.endsWith('.md'))
    return (text) => [{ file, line: 1, kind: 'page', text: withoutFrontMatter(text) }];
  if (/\.(tsx?|m?js)$/.test(file)) return (text) => new SourceProse(file, text).passages();
  return commentReader(file);
}

/** Replaces front matter with empty lines so that line numbers stay the same. */
const withoutFrontMatter = (text: string) =>
  text.replace(/^---\n[\s\S]*?\n---\n/, (matter) => matter.replace(/[^\n]/g, ''));
