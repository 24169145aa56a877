import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { linkBetween, pageOf, pagesFolder } from './layout.ts';

const root = join(import.meta.dirname, '..', '..');
const target = (page: string) => join(root, pagesFolder, page);

/** The page that gives readers of the repository an overview of `docs/`. */
const readme = 'docs/README.md';

export async function writePage(page: string, text: string): Promise<void> {
  await mkdir(dirname(target(page)), { recursive: true });
  await writeFile(target(page), text);
}

/** Copies the project's Markdown pages and their pictures to the folder of the site's pages. */
export async function gatherPages(): Promise<void> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
  });
  const files = stdout.trim().split('\n');
  const gathered = files.map(async (file) => {
    const page = pageOf(file);
    if (page === undefined) return;
    // Git lists a deleted file until the deletion is committed.
    const text = await readFile(join(root, file), 'utf8').catch(() => undefined);
    if (text === undefined) return;
    await writePage(page, withSiteLinks(text, file, page, files));
    if (file !== readme) return;
    for (const index of indexPages(text, files)) await writePage(index.page, index.text);
  });
  await Promise.all(gathered);
  await cp(join(root, 'docs', 'screenshots'), target('screenshots'), { recursive: true });
}

/**
 * Creates the index page of each folder in `docs/` from the section of `docs/README.md` that lists the folder's pages.
 */
export function indexPages(
  text: string,
  files: readonly string[],
): { readonly page: string; readonly text: string }[] {
  return text
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [, folder] = /\]\(([\w-]+)\//.exec(section) ?? [];
      if (folder === undefined || files.includes(`docs/${folder}/index.md`)) return [];
      const page = `${folder}/index.md`;
      const [title = '', ...lines] = section.split('\n');
      // A line that is not a sentence is the title of the list below it.
      const body = lines.join('\n').replaceAll(/^[A-Z][^.:[\]\n]*$/gm, '## $&');
      return [{ page, text: withSiteLinks(`# ${title}\n${body}`, readme, page, files) }];
    });
}

const block = /(^```.*?^```$)/gms;
const attribute = /\b(src|srcset|href)="([^"#:]+)(#[^"]*)?"/g;
const link = /(\[(?:[^[\]]|\[[^\]]*\])*\])\(([^)\s#]+)(#[^)\s]*)?\)/g;

/**
 * Adapts the links of a page to the site. A link to a file that has no page is replaced by the link's label, with the
 * path as a tooltip, because the site contains no source files and no links to other hosts.
 */
export function withSiteLinks(
  text: string,
  file: string,
  page: string,
  files: readonly string[],
): string {
  const onSite = (whole: string, label: string, path: string, anchor = '') => {
    if (/^[a-z]+:/.test(path)) return whole;
    const linked = posix.join(posix.dirname(file), path).replace(/\/$/, '');
    const to = targetOf(linked, files);
    if (to !== undefined) return `${label}(${linkBetween(page, to)}${anchor})`;
    const isThere = files.some((each) => each === linked || each.startsWith(`${linked}/`));
    // Keep a link whose target does not exist, because VitePress reports it.
    return isThere ? `<span class="file" title="${linked}">${label.slice(1, -1)}</span>` : whole;
  };
  const attributeOnSite = (whole: string, name: string, path: string, anchor = '') => {
    const to = targetOf(posix.join(posix.dirname(file), path), files);
    return to === undefined ? whole : `${name}="${linkBetween(page, to)}${anchor}"`;
  };
  return text
    .split(block)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(link, onSite).replaceAll(attribute, attributeOnSite),
    )
    .join('');
}

/**
 * Returns the page or image of the site to which a link to a file or folder resolves, or undefined if there is none.
 */
function targetOf(linked: string, files: readonly string[]): string | undefined {
  const page = pageOf(linked) ?? pageOf(`${linked}/README.md`);
  const [, folder] = /^docs\/(\w[\w-]*)$/.exec(linked) ?? [];
  if (folder !== undefined && files.some((file) => file.startsWith(`${linked}/`)))
    return `${folder}/index.md`;
  if (linked.startsWith('docs/screenshots/')) return linked.slice('docs/'.length);
  if (page === undefined || files.includes(linked)) return page;
  return files.includes(`${linked}/README.md`) ? page : undefined;
}
