import { posix } from 'node:path';

/** The folder of the site's pages, from which the site builder can resolve its packages. */
export const pagesFolder = 'docs/site/pages';

/** The guides in reading order. Other pages of docs/ follow them. */
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

/** Pages of docs/ that have a separate place. */
export const pagesOutsideGuides = ['architecture'];

/** The site's page for a file of the project, or undefined if it has none. */
export function pageOf(file: string): string | undefined {
  if (file === 'README.md') return 'readme.md';
  if (file === 'CONTRIBUTING.md') return 'contributing.md';
  if (file === 'CHANGELOG.md') return 'changelog.md';
  // Not `security.md`, which is the page in docs/.
  if (file === 'SECURITY.md') return 'report-a-vulnerability.md';
  // docs/site contains the site's build files and its home page.
  const [, inDocs] = /^docs\/(?!site\/)(.+\.md)$/.exec(file) ?? [];
  if (inDocs !== undefined) return inDocs;
  const [, model] = /^models\/([^/]+)\/README\.md$/.exec(file) ?? [];
  return model === undefined ? undefined : `models/${model}.md`;
}

/** The page that shows a file or lists a folder of the project that has no page. */
export const sourcePage = (file: string) =>
  // VitePress ignores folders that start with a dot.
  `source/${file.replaceAll(/(^|\/)\./g, '$1')}.md`;

/** A link from one page to another. */
export const linkBetween = (from: string, to: string) => {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
};
