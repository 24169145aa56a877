import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { linkBetween, pageOf, pagesFolder, sourcePage } from './layout.ts';

const root = join(import.meta.dirname, '..', '..');
const target = (page: string) => join(root, pagesFolder, page);

/** Writes a page of the site. */
export async function writePage(page: string, text: string): Promise<void> {
  await mkdir(dirname(target(page)), { recursive: true });
  await writeFile(target(page), text);
}

/**
 * Copies the project's pages to the site's sources. Links between pages are kept; links to other files lead to
 * generated pages that show these files, so that the site needs no other host.
 */
export async function gatherPages(): Promise<void> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
  });
  const files = stdout.trim().split('\n');
  const shown = new Set<string>();
  for (const file of files) {
    const page = pageOf(file);
    if (page === undefined) continue;
    const text = await readFile(join(root, file), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    await writePage(page, withLinks(text, file, page, files, shown));
  }
  await cp(join(root, 'docs', 'screenshots'), target('screenshots'), { recursive: true });
  for (const file of shown) await writeSource(file, files, shown);
}

const block = /(^```.*?^```$)/gms;
const link = /(\[(?:[^[\]]|\[[^\]]*\])*\])\(([^)\s#]+)(#[^)\s]*)?\)/g;

/** Adjusts the links of a page for the site. Adds the linked project files to `shown`. */
function withLinks(
  text: string,
  file: string,
  page: string,
  files: readonly string[],
  shown: Set<string>,
): string {
  const onSite = (whole: string, label: string, path: string, anchor = '') => {
    if (/^[a-z]+:/.test(path)) return whole;
    const linked = posix.join(posix.dirname(file), path).replace(/\/$/, '');
    const to = targetOf(linked, files);
    if (to === undefined) return whole;
    if (to.startsWith('source/')) shown.add(linked);
    return `${label}(${linkBetween(page, to)}${anchor})`;
  };
  return text
    .split(block)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(link, onSite)))
    .join('');
}

/** The page that a link to a file or folder leads to. If undefined, the build reports a dead link. */
function targetOf(linked: string, files: readonly string[]): string | undefined {
  if (linked === 'docs/decisions') return 'decisions/index.md';
  const page = pageOf(linked);
  if (page !== undefined) return page;
  if (linked.startsWith('docs/screenshots/')) return linked.slice('docs/'.length);
  const isThere = files.some((file) => file === linked || file.startsWith(`${linked}/`));
  return isThere ? sourcePage(linked) : undefined;
}

/** Writes a page that shows a file or lists a folder. Adds a folder's files to `shown`. */
async function writeSource(file: string, files: readonly string[], shown: Set<string>) {
  const page = sourcePage(file);
  const about = await stat(join(root, file));
  const inside = files.filter((each) => each.startsWith(`${file}/`));
  for (const each of about.isDirectory() ? inside : []) if (!pageOf(each)) shown.add(each);
  const body = about.isDirectory()
    ? inside
        .map((each) => `- [${each}](${linkBetween(page, pageOf(each) ?? sourcePage(each))})`)
        .join('\n')
    : `\`\`\`\`${languageOf(file)}\n${await readFile(join(root, file), 'utf8')}\n\`\`\`\``;
  await writePage(page, `---\nsearch: false\noutline: false\n---\n\n# ${file}\n\n${body}\n`);
}

const languages: Readonly<Record<string, string>> = {
  json: 'json',
  ts: 'ts',
  tsx: 'tsx',
  py: 'python',
  js: 'js',
  css: 'css',
  html: 'html',
};
const languageOf = (file: string) => languages[posix.extname(file).slice(1)] ?? '';
