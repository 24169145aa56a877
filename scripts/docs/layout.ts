import { posix } from 'node:path';

/**
 * The folder of the site's pages before VitePress builds them. It is inside the site's package so that imports
 * in pages are resolved.
 */
export const pagesFolder = 'docs/site/pages';

/** The front page: `docs/site/index.md`. */
export const frontPage = 'index.md';

/** The part of the reference that is generated from TypeScript declarations, one page for each export. */
export const typeScriptFolder = 'reference/typescript';

/** The part of the reference that is generated from the OpenAPI description, one page for each operation. */
export const httpFolder = 'reference/http';

/** The paths on the site of project files that the patterns in `pageOf` do not cover. */
const projectPages: Readonly<Record<string, string>> = {
  'README.md': 'readme.md',
  // The front page of the site is docs/site/index.md.
  'docs/README.md': 'all-pages.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
  'SECURITY.md': 'report-a-vulnerability.md',
};

/** Returns the site's page for a Markdown file of the project, or undefined if the file is not on the site. */
export function pageOf(file: string): string | undefined {
  const page = projectPages[file];
  if (page !== undefined) return page;
  // docs/site contains the site's configuration and front page.
  const [, inDocs] = /^docs\/(?!site\/)(.+\.md)$/.exec(file) ?? [];
  if (inDocs !== undefined) return inDocs.replace(/(^|\/)README\.md$/, '$1index.md');
  const [, model] = /^models\/([^/]+)\/README\.md$/.exec(file) ?? [];
  return model === undefined ? undefined : `models/${model}.md`;
}

/** Returns a relative link from one page to another. */
export const linkBetween = (from: string, to: string) => {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
};
