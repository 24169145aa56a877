import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file that a page shows completely so that the reader can create it. */
export interface ShownFile {
  readonly path: string;
  readonly content: string;
}

const read = (page: string) => readFile(join(import.meta.dirname, '..', '..', '..', page), 'utf8');

export const readme = await read('README.md');

/** The guides that continue where the README ends, in the order that a newcomer reads them. */
export const firstGuides: readonly string[] = [
  await read('docs/how-to/find-instances.md'),
  await read('docs/how-to/write-a-model.md'),
];

/** Returns the files that a page shows completely, in the order of the page. */
export const filesIn = (page: string): readonly ShownFile[] =>
  [...page.matchAll(/^<!-- file: (\S+) -->\n```\w*\n(.*?)^```/gms)].map(([, path, content]) => ({
    path: path!,
    content: content!,
  }));

/** The files of the model `parcel`, which the guide for models shows. */
export const shownFiles: readonly ShownFile[] = firstGuides.flatMap(filesIn);

/** The ids of the shipped models, which the README links to. */
export const shippedModels: ReadonlySet<string> = new Set(
  [...readme.matchAll(/\[[^\]]+\]\(models\/([^/]+)\/README\.md\)/g)].map(([, id]) => id!),
);

/** Writes files to a project, as the reader of a page would. */
export async function writeShownFiles(project: string, files: readonly ShownFile[]): Promise<void> {
  for (const { path, content } of files) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), content);
  }
}
