import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLinePage } from './docs/commands.ts';
import { gatherPages, writePage } from './docs/gather.ts';
import { httpPage } from './docs/http.ts';
import { pagesFolder } from './docs/layout.ts';
import { expectNoOtherHost } from './docs/offline.ts';
import { decisionsPage, sidebarOf } from './docs/sidebar.ts';

/*
 * Builds the documentation site into dist/docs: the project's pages, and the reference generated
 * from the code. `npm run docs` installs the required packages first.
 */
const root = join(import.meta.dirname, '..');
const [site, pages] = [join(root, 'docs', 'site'), join(root, pagesFolder)];

await rm(pages, { recursive: true, force: true });
await gatherPages();
await copyFile(join(site, 'index.md'), join(pages, 'index.md'));
await mkdir(join(pages, 'public'));
await copyFile(join(root, 'web', 'icon.svg'), join(pages, 'public', 'icon.svg'));
await writePage('decisions/index.md', await decisionsPage());
run('typedoc', '--options', 'typedoc.json', '--logLevel', 'Warn');
await writePage('reference/http.md', await httpPage());
await writePage('reference/command-line.md', commandLinePage());
await writeFile(join(pages, 'sidebar.json'), JSON.stringify(await sidebarOf()));
run('vitepress', 'build', '.');
await expectNoOtherHost(join(root, 'dist', 'docs'));

/** Runs a program of the site's package. */
function run(program: string, ...options: readonly string[]): void {
  const path = join(site, 'node_modules', '.bin', program);
  const { status, error } = spawnSync(path, options, { cwd: site, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
