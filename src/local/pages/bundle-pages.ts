import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { packageFolder } from '../../package-folder.ts';
import { pagesBuildOptions } from '../bundling/pages-build-options.ts';
import { type PageFile, type PageFiles, pageFile } from './page-files.ts';

/**
 * Bundles the pages in `web/` in memory. The sources are small, so bundling them is faster than checking whether an
 * earlier result is up to date. esbuild's child process keeps running, because it also bundles the models.
 *
 * @throws esbuild's BuildFailure.
 */
export async function bundlePages(): Promise<PageFiles> {
  const template = readFile(join(packageFolder, 'web', 'index.html'), 'utf8');
  const { outputFiles, metafile } = await build({
    ...pagesBuildOptions,
    absWorkingDir: packageFolder,
    write: false,
  });
  const files = new Map<string, PageFile>();
  for (const { path, contents } of outputFiles) {
    const name = path
      .slice(join(packageFolder, pagesBuildOptions.outdir).length)
      .replaceAll('\\', '/');
    files.set(name, await pageFile(extname(name), Buffer.from(contents)));
  }
  const index = (await template).replace('<!-- assets -->', assetTags(metafile));
  files.set('/index.html', await pageFile('.html', Buffer.from(index)));
  return files;
}

/**
 * Creates the tags that load the assets. Tags for shared scripts let the browser request them before it parses the main
 * script.
 */
function assetTags({ outputs }: Metafile): string {
  const urlOf = (path: string) => path.slice(pagesBuildOptions.outdir.length);
  const madeFrom = (source: string) => {
    const found = Object.entries(outputs).find(
      ([, { entryPoint, inputs }]) => entryPoint === source || (!entryPoint && source in inputs),
    );
    if (!found) throw new Error(`web: ${source} has no build output`);
    return { url: urlOf(found[0]), ...found[1] };
  };
  const main = madeFrom('web/main.tsx');
  const shared = main.imports.filter(({ kind }) => kind === 'import-statement');
  return [
    `<link rel="stylesheet" href="${madeFrom('web/style.css').url}" />`,
    `<link rel="icon" type="image/svg+xml" href="${madeFrom('web/icon.svg').url}" />`,
    ...shared.map(({ path }) => `<link rel="modulepreload" href="${urlOf(path)}" />`),
    `<script type="module" src="${main.url}"></script>`,
  ].join('\n    ');
}
