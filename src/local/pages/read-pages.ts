import { glob, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { packageFolder } from '../../package-folder.ts';
import { type PageFile, type PageFiles, pageFile } from './page-files.ts';

/** Reads the files of the pages that `npm run build` wrote to `dist/web`. */
export async function readPages(): Promise<PageFiles> {
  const folder = join(packageFolder, 'dist', 'web');
  const files = new Map<string, PageFile>();
  for await (const path of glob('**/*.*', { cwd: folder })) {
    const body = await readFile(join(folder, path));
    files.set(`/${path.replaceAll('\\', '/')}`, await pageFile(extname(path), body));
  }
  return files;
}
