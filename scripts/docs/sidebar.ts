import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { guidesInOrder, pagesFolder, pagesOutsideGuides } from './layout.ts';

interface Item {
  readonly text: string;
  readonly link: string;
}

interface Group {
  readonly text: string;
  readonly collapsed?: boolean;
  readonly items: readonly Item[];
}

const folder = join(import.meta.dirname, '..', '..', pagesFolder);

/** The sidebar of every page: its groups, with the gathered pages by their first headings. */
export async function sidebarOf(): Promise<Group[]> {
  const guides = (await pagesIn('')).filter(
    (name) =>
      !['index', 'readme', 'contributing', 'changelog', ...pagesOutsideGuides].includes(name),
  );
  return [
    {
      text: 'Start',
      items: [
        { text: 'What it is', link: '/' },
        { text: 'README', link: '/readme' },
      ],
    },
    await group('Tutorial', 'tutorial', indexFirst(await pagesIn('tutorial'))),
    await group('Guides', '', guides.toSorted(byPlace)),
    {
      text: 'Reference',
      items: [
        ...(await typeScript()),
        { text: 'HTTP API', link: '/reference/http' },
        { text: 'Command line', link: '/reference/command-line' },
      ],
    },
    { ...(await group('Models', 'models', await pagesIn('models'))), collapsed: true },
    await group('Inside', '', await there('architecture', 'contributing', 'changelog')),
    {
      ...(await group('Decisions', 'decisions', (await pagesIn('decisions')).filter(isRecord))),
      collapsed: true,
    },
  ].filter(({ items }) => items.length > 0);
}

const indexFirst = (names: readonly string[]) =>
  names.toSorted((a, b) => Number(b === 'index') - Number(a === 'index'));

const isRecord = (name: string) => /^\d{4}-/.test(name);

function byPlace(a: string, b: string): number {
  const [left, right] = [guidesInOrder.indexOf(a), guidesInOrder.indexOf(b)];
  if (left >= 0 && right >= 0) return left - right;
  return left === right ? a.localeCompare(b) : right - left;
}

async function group(text: string, within: string, names: readonly string[]): Promise<Group> {
  const items = names.map(async (name) => ({
    text: await titleOf(join(within, `${name}.md`)),
    link: `/${within === '' ? '' : `${within}/`}${name}`.replace(/\/index$/, '/'),
  }));
  return { text, items: await Promise.all(items) };
}

async function pagesIn(within: string): Promise<string[]> {
  const files = await readdir(join(folder, within)).catch(() => []);
  return files
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length))
    .toSorted();
}

async function there(...names: readonly string[]): Promise<string[]> {
  const pages = await pagesIn('');
  return names.filter((name) => pages.includes(name));
}

/** The reference of each entry point of the package. */
async function typeScript(): Promise<Item[]> {
  const names = ['milepost', 'milepost/cdk', 'milepost/testing', 'milepost/xstate'];
  return (await group('', 'reference/typescript', names)).items.slice();
}

/** The first heading of a page. */
async function titleOf(page: string): Promise<string> {
  const text = await readFile(join(folder, page), 'utf8');
  const [, title] = /^# +(.+)$/m.exec(text) ?? [];
  if (title === undefined) throw new Error(`${page} must have a heading`);
  return title.replaceAll('`', '');
}

/** The page that lists the decision records. */
export async function decisionsPage(): Promise<string> {
  const { items } = await group('', 'decisions', (await pagesIn('decisions')).filter(isRecord));
  const lines = items.map(({ text, link }) => `- [${text}](.${link.replace('/decisions', '')}.md)`);
  return `# Decisions\n\nDesign decisions with their reasons, alternatives and measurements.\n\n${lines.join('\n')}\n`;
}
