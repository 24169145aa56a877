import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The instructions of the Dockerfile. */
export interface Container {
  /** The command that installs the package from its tarball in `/tmp`. */
  readonly install: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly ports: readonly number[];
  readonly user: string;
  readonly command: readonly string[];
  /** The health check, which exits with 0 if the service is healthy. */
  readonly healthcheck: readonly string[];
}

/** Reads the Dockerfile of the project. @throws Error if an instruction is missing */
export async function readContainer(root: string): Promise<Container> {
  const text = await readFile(join(root, 'Dockerfile'), 'utf8');
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const last = (start: string) => {
    const line = lines.findLast((each) => each.startsWith(start));
    if (line === undefined) throw new Error(`the Dockerfile has no ${start}`);
    return line.slice(start.length).trim();
  };
  const exec = (words: string) => JSON.parse(words) as string[];
  return {
    install: last('RUN npm install'),
    environment: Object.fromEntries(
      last('ENV ')
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    ),
    ports: last('EXPOSE ').split(' ').map(Number),
    user: last('USER '),
    command: exec(last('CMD ')),
    healthcheck: exec(last('HEALTHCHECK ').replace(/^.* CMD /, '')),
  };
}
