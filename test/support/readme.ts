import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A complete file that the README asks readers to write. */
export interface ShownFile {
  readonly path: string;
  readonly content: string;
}

export const readme = await readFile(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');

export const shownFiles: readonly ShownFile[] = [
  ...readme.matchAll(/^<!-- file: (\S+) -->\n```\w+\n(.*?)^```/gms),
].map(([, path, content]) => ({ path: path!, content: content! }));

/** The ids of the shipped models, from the README's table. */
export const shippedModels: ReadonlySet<string> = new Set(
  [...readme.matchAll(/\[[^\]]+\]\(models\/([^/]+)\/README\.md\)/g)].map(([, id]) => id!),
);

/** Writes files into a project like its reader. */
export async function writeShownFiles(project: string, files: readonly ShownFile[]): Promise<void> {
  for (const { path, content } of files) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), content);
  }
}
