import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { build, type Metafile, stop } from 'esbuild';
import { webOptions } from '../../../scripts/web-options.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const compress = promisify(gzip);

/** A file of the pages, ready to be sent. */
export interface PageFile {
  readonly contentType: string;
  readonly body: Buffer;
  readonly gzipped: Buffer;
  /** In quotes, as the header has it. */
  readonly etag: string;
}

/** The files of the pages by their paths; what every page begins with is `/index.html`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Bundles the pages in `web/`, in memory: as what they are made from is small, that takes less time
 * than finding out whether an earlier result still serves.
 *
 * @throws esbuild's BuildFailure
 */
export async function bundlePages(): Promise<PageFiles> {
  const template = readFile(join(root, 'web', 'index.html'), 'utf8');
  const { outputFiles, metafile } = await bundle();
  const files = new Map<string, PageFile>();
  for (const { path, contents } of outputFiles) {
    const name = path.slice(join(root, webOptions.outdir).length).replaceAll('\\', '/');
    files.set(name, await pageFile(extname(name), Buffer.from(contents)));
  }
  const index = (await template).replace('<!-- assets -->', assetTags(metafile));
  files.set('/index.html', await pageFile('.html', Buffer.from(index)));
  return files;
}

async function bundle() {
  try {
    return await build({ ...webOptions, absWorkingDir: root, write: false });
  } finally {
    // Its process would stay as long as this one.
    await stop();
  }
}

async function pageFile(extension: string, body: Buffer): Promise<PageFile> {
  const contentType = contentTypes[extension];
  if (contentType === undefined) throw new Error(`web: what type has a ${extension}?`);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { contentType, body, gzipped: await compress(body, { level: 9 }), etag };
}

/** What a page loads at once, so that nothing waits until the script has been read. */
function assetTags({ outputs }: Metafile): string {
  const urlOf = (path: string) => path.slice(webOptions.outdir.length);
  const madeFrom = (source: string) => {
    const found = Object.entries(outputs).find(
      ([, { entryPoint, inputs }]) => entryPoint === source || (!entryPoint && source in inputs),
    );
    if (!found) throw new Error(`web: nothing was made from ${source}`);
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
