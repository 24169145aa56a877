import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpPage } from './http.ts';
import { frontPage, pagesFolder, typeScriptFolder } from './layout.ts';

interface Item {
  readonly text: string;
  readonly link: string;
}

interface Group {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items: readonly (Item | Group)[];
}

/** The navigation of the site: the bar at the top, and the sidebars, each by the path prefix of its pages. */
export interface Navigation {
  readonly nav: readonly Item[];
  readonly sidebar: Readonly<Record<string, readonly Group[]>>;
}

const folder = join(import.meta.dirname, '..', '..', pagesFolder);

/** The titles of folders whose title differs from their name. */
const titles: Readonly<Record<string, string>> = { 'how-to': 'How-to guides' };

/** The folders in the order in which a newcomer needs them. Other folders follow. */
const order = ['tutorial', 'how-to', 'reference', 'explanation', 'models', 'decisions'];

const titleOfFolder = (name: string) =>
  titles[name] ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

/** Lists the folders of the site that contain pages, in the order of the navigation. */
export async function sections(): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory())
      .map(async ({ name }) => ((await pagesIn(name)).length > 0 ? [name] : [])),
  );
  const found = names.flat();
  return [
    ...order.filter((name) => found.includes(name)),
    ...found.filter((name) => !order.includes(name)),
  ];
}

/** Creates the navigation from the pages in the folders and their first headings. */
export async function navigationOf(http: readonly HttpPage[]): Promise<Navigation> {
  const names = await sections();
  const groups = await Promise.all(names.map((name) => sectionGroup(name)));
  const project = { text: 'Project', items: await itemsIn('') };
  const { items: parts, ...reference } = groups[names.indexOf('reference')]!;
  const inFront = names.filter((name) => name !== 'models');
  return {
    nav: inFront.map((name) => ({ text: titleOfFolder(name), link: `/${name}/` })),
    sidebar: {
      '/reference/': [
        { ...reference, items: parts.filter(({ link }) => !link?.endsWith('/')) },
        httpGroup(http),
        ...(await typeScriptGroups()),
      ],
      '/': [...groups.map(collapsedUnlessRead), project],
    },
  };
}

/** Collapses long lists of pages that readers look up individually. */
const collapsedUnlessRead = (group: Group): Group =>
  ['Models', 'Decisions'].includes(group.text) ? { ...group, collapsed: true } : group;

async function sectionGroup(name: string): Promise<Group> {
  const items = (await itemsIn(name)).filter(({ link }) => link !== `/${name}/`);
  return { text: titleOfFolder(name), link: `/${name}/`, items };
}

/**
 * Lists the pages of a folder in the order of the links in its index. Pages without a link in the index follow, sorted
 * by file name, and then the index pages of subfolders.
 */
async function itemsIn(within: string): Promise<Item[]> {
  const index = await indexOf(within);
  const place = (name: string) =>
    index.includes(`/${name}.md`) ? index.indexOf(`/${name}.md`) : Infinity;
  const pages = (await pagesIn(within))
    .toSorted((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)))
    .map((name) => join(within, name))
    // The site's title links to the front page, so the navigation omits it.
    .filter((page) => `${page}.md` !== frontPage);
  const parts = within === '' ? [] : await partsOf(within);
  const items = [...pages, ...parts].map(async (page) => ({
    text: await titleOf(`${page}.md`),
    link: `/${page}`.replace(/\/index$/, '/'),
  }));
  return Promise.all(items);
}

/** Lists the index pages of the subfolders of a folder. */
async function partsOf(within: string): Promise<string[]> {
  const files = await readdir(join(folder, within), { recursive: true });
  return files
    .filter((file) => /^[^/]+\/index\.md$/.test(file))
    .map((file) => join(within, file.replace(/\.md$/, '')))
    .toSorted();
}

async function pagesIn(within: string): Promise<string[]> {
  const files = await readdir(join(folder, within)).catch(() => []);
  return files
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length))
    .toSorted();
}

function httpGroup(pages: readonly HttpPage[]): Group {
  const tags = [...new Set(pages.map(({ tag }) => tag))].filter((tag) => tag !== undefined);
  const items = tags.map((tag) => ({
    text: tag,
    collapsed: true,
    items: pages
      .filter((each) => each.tag === tag)
      .map(({ title, page }) => ({ text: title, link: `/${page.replace(/\.md$/, '')}` })),
  }));
  return { text: 'HTTP API', link: '/reference/http/', items };
}

/** Creates a group for each entry point of the package, with a page for each export. */
async function typeScriptGroups(): Promise<Group[]> {
  const files = await readdir(join(folder, typeScriptFolder), { recursive: true });
  const entries = files
    .filter((file) => file.endsWith('/index.md'))
    .map((file) => file.slice(0, -'/index.md'.length))
    .toSorted();
  const groups = entries.map(async (entry) => {
    // Exports are in folders by kind, such as `milepost/cdk/classes/Archive.md`.
    const own = files.filter(
      (each) =>
        each.startsWith(`${entry}/`) &&
        /^[\w-]+\/\w+\.md$/.test(each.slice(entry.length + 1)) &&
        !each.endsWith('/index.md'),
    );
    const items = own.map(async (each) => ({
      text: (await titleOf(join(typeScriptFolder, each))).replace(/\\<.*$/, ''),
      link: `/${typeScriptFolder}/${each.replace(/\.md$/, '')}`,
    }));
    const byName = (await Promise.all(items)).toSorted((a, b) => a.text.localeCompare(b.text));
    return { text: entry, link: `/${typeScriptFolder}/${entry}/`, collapsed: true, items: byName };
  });
  return Promise.all(groups);
}

/** Reads the first heading of a page. */
async function titleOf(page: string): Promise<string> {
  const [, title] = /^# +(.+)$/m.exec(await readFile(join(folder, page), 'utf8')) ?? [];
  if (title === undefined) throw new Error(`${page} has no heading`);
  return title.replaceAll('`', '');
}

/** Returns the index of a folder with links to all its pages. Pages that the gathered index omits are appended. */
export async function completeIndexOf(name: string): Promise<string> {
  const index = await indexOf(name);
  const items = (await itemsIn(name)).filter(
    ({ link }) => link !== `/${name}/` && !index.includes(`(.${link.slice(name.length + 1)}`),
  );
  const lines = items.map(({ text, link }) => `- [${text}](.${link.slice(name.length + 1)})`);
  return `${index === '' ? `# ${titleOfFolder(name)}` : index.trimEnd()}\n\n${lines.join('\n')}\n`;
}

/** Reads the gathered index page of a folder. Returns an empty string if the folder has no index page. */
const indexOf = (name: string): Promise<string> =>
  readFile(join(folder, name, 'index.md'), 'utf8').catch(() => '');
