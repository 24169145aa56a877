import { posix } from 'node:path';

/** Where the site's pages are gathered: where what builds them finds its packages. */
export const pagesFolder = 'docs/site/pages';

/** The guides in the order in which they are read. A page of docs/ that is not here comes behind them. */
export const guidesInOrder = [
  'send-events',
  'ways-in',
  'notifications',
  'pages',
  'deploy',
  'operations',
  'replay',
  'time-travel',
  'protocol',
  'guarantees',
  'simulation',
  'security',
  'report-a-vulnerability',
  'personal-data',
  'archive',
  'cost',
  'figures',
  'scale',
];

/** Pages of docs/ that have a place of their own. */
export const pagesOutsideGuides = ['architecture'];

/** The page of the site that a file of the project is; undefined: it is none. */
export function pageOf(file: string): string | undefined {
  if (file === 'README.md') return 'readme.md';
  if (file === 'CONTRIBUTING.md') return 'contributing.md';
  if (file === 'CHANGELOG.md') return 'changelog.md';
  // Not `security.md`, which is the page in docs/.
  if (file === 'SECURITY.md') return 'report-a-vulnerability.md';
  // docs/site has what the site is built with, and its start page.
  const [, inDocs] = /^docs\/(?!site\/)(.+\.md)$/.exec(file) ?? [];
  if (inDocs !== undefined) return inDocs;
  const [, model] = /^models\/([^/]+)\/README\.md$/.exec(file) ?? [];
  return model === undefined ? undefined : `models/${model}.md`;
}

/** The page that shows a file of the project, or lists a folder, that no page is made of. */
export const sourcePage = (file: string) =>
  // VitePress sees nothing in folders that start with a dot.
  `source/${file.replaceAll(/(^|\/)\./g, '$1')}.md`;

/** A link from one page to another. */
export const linkBetween = (from: string, to: string) => {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
};
