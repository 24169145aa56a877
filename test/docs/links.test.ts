import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPages, root } from '../support/docs/markdown.ts';
import { slugsOf } from '../support/docs/slugs.ts';

// Omit the site's start page, because the build of the site checks its links.
const pages = (await readPages()).filter(({ path }) => !path.startsWith('docs/site/'));
const byPath = new Map(pages.map((page) => [page.path, page.text]));
const withoutCode = (text: string) =>
  text
    .replaceAll(/^```.*?^```$/gms, (code) => code.replaceAll(/[^\n]/g, ''))
    .replaceAll(/`[^`\n]*`/g, '');

/** Returns the links of a page to files of the project, each with its line. */
function linksOf(text: string) {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => ({
      line: text.slice(0, match.index).split('\n').length,
      target: match[1]!,
    }))
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

function wrongWith(path: string, target: string): string | undefined {
  const [file = '', anchor] = target.split('#');
  const found = file === '' ? path : normalize(join(dirname(path), decodeURIComponent(file)));
  if (!existsSync(join(root, found))) return `there is no ${found}`;
  if (anchor === undefined || !found.endsWith('.md')) return undefined;
  return slugsOf(byPath.get(found) ?? '').includes(anchor)
    ? undefined
    : `${found} has no heading #${anchor}`;
}

describe('links between pages', () => {
  it.each(pages.map(({ path, text }) => [path, text] as const))(
    'point to existing files and headings: %s',
    (path, text) => {
      const wrong = linksOf(text).flatMap(({ line, target }) => {
        const reason = wrongWith(path, target);
        return reason === undefined ? [] : `${path}:${line}: ${target}: ${reason}`;
      });
      expect(wrong).toEqual([]);
    },
  );

  it('are reported if they are broken', () => {
    expect(wrongWith('docs/how-to/deploy.md', '../nowhere.ts')).toBe('there is no docs/nowhere.ts');
    expect(wrongWith('docs/how-to/deploy.md', '#nothing')).toBe(
      'docs/how-to/deploy.md has no heading #nothing',
    );
    expect(wrongWith('docs/how-to/deploy.md', '../../README.md#deploy-it')).toBeUndefined();
  });
});
