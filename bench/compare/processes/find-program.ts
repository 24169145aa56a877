import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The folder where Debian installs PostgreSQL programs, which are not on the PATH. */
const debianPostgres = '/usr/lib/postgresql';

/** Returns the path of a program, or undefined if the program is not installed. */
export async function findProgram(name: string): Promise<string | undefined> {
  const versions = await readdir(debianPostgres).catch(() => []);
  const folders = [
    ...versions
      .toSorted((a, b) => Number(b) - Number(a))
      .map((version) => join(debianPostgres, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  for (const folder of folders) {
    const path = join(folder, name);
    const there = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (there) return path;
  }
  return undefined;
}
