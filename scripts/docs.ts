import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import typedoc from '../docs/site/typedoc.json' with { type: 'json' };
import { commandLinePage } from './docs/commands.ts';
import { expectPagePerExport } from './docs/exports.ts';
import { gatherPages, writePage } from './docs/gather.ts';
import { httpPages } from './docs/http.ts';
import { frontPage, pagesFolder } from './docs/layout.ts';
import { expectNoOtherHost } from './docs/offline.ts';
import { completeIndexOf, navigationOf, sections } from './docs/sidebar.ts';

/*
 * Builds the documentation site into dist/docs: the project's pages, and a reference that is generated from the code.
 * `npm run docs` installs the site's packages first.
 */
const root = join(import.meta.dirname, '..');
const [site, pages] = [join(root, 'docs', 'site'), join(root, pagesFolder)];

await rm(pages, { recursive: true, force: true });
await mkdir(join(pages, 'public'), { recursive: true });
const typeScript = run('typedoc', '--options', 'typedoc.json', '--logLevel', 'Warn');
const http = await httpPages();
await Promise.all([
  typeScript,
  gatherPages(),
  copyFile(join(site, frontPage), join(pages, frontPage)),
  copyFile(join(root, 'web', 'icon.svg'), join(pages, 'public', 'icon.svg')),
  copyMermaid(),
  writePage('reference/command-line.md', commandLinePage()),
  ...http.map(({ page, text }) => writePage(page, text)),
]);
await expectPagePerExport(typedoc.entryPoints.map((file) => join('docs/site', file)));
for (const section of await sections())
  await writePage(`${section}/index.md`, await completeIndexOf(section));
await writeFile(join(pages, 'navigation.json'), JSON.stringify(await navigationOf(http)));
await run('vitepress', 'build', '.');
await expectNoOtherHost(join(root, 'dist', 'docs'));

/** Copies mermaid's prebuilt bundle, because bundling mermaid takes half of the build's time. */
async function copyMermaid(): Promise<void> {
  const from = join(site, 'node_modules', 'mermaid', 'dist');
  const to = join(pages, 'public', 'mermaid');
  const options = { recursive: true, filter: (file: string) => !file.endsWith('.map') };
  for (const part of ['mermaid.esm.min.mjs', 'chunks/mermaid.esm.min'])
    await cp(join(from, part), join(to, part), options);
}

/** Runs a program from the packages of the site. */
async function run(program: string, ...options: readonly string[]): Promise<void> {
  const path = join(site, 'node_modules', '.bin', program);
  const [status] = await once(spawn(path, options, { cwd: site, stdio: 'inherit' }), 'exit');
  if (status !== 0) throw new Error(`${program} exited with status ${status}`);
}
