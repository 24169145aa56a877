import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { copyOfProject } from './copy-of-project.ts';

/** A TypeScript snippet of the documentation, as a module. */
export interface Snippet {
  /** The page of the snippet, such as `docs/how-to/deploy.md`, and the first line of its code. */
  readonly path: string;
  readonly line: number;
  readonly code: string;
  /** The code before and after the snippet. */
  readonly before?: string;
  readonly after?: string;
  /** The path of the snippet in the project. Default: a separate file. */
  readonly file?: string;
  /** The group of pages, read in sequence, that the snippet belongs to. The snippet can import files of its group. */
  readonly group?: string;
  /** The language, which is `ts` or `tsx`. */
  readonly language: string;
}

const folder = 'snippets';

/**
 * Type-checks all snippets at once in a copy of the project.
 *
 * @returns the errors: the location in the page, and the compiler's message
 */
export async function typeErrors(snippets: readonly Snippet[]): Promise<string[]> {
  const copy = await copyOfProject();
  try {
    const placed = placesOf(snippets);
    for (const [name, snippet] of placed) {
      await mkdir(dirname(join(copy, name)), { recursive: true });
      await writeFile(join(copy, name), moduleOf(snippet));
    }
    const compilerOptions = {
      noUnusedLocals: false,
      noUnusedParameters: false,
      jsx: 'react-jsx',
      jsxImportSource: 'preact',
      // With these root folders, a file of a page can import the project's files as if they were in the same folder.
      rootDirs: [
        '.',
        ...new Set([...placed.keys()].map((name) => name.split('/').slice(0, 2).join('/'))),
      ],
    };
    const project = { extends: './tsconfig.json', compilerOptions, include: [...placed.keys()] };
    await writeFile(join(copy, 'tsconfig.snippets.json'), JSON.stringify(project));
    return await compile(copy, placed);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

const imports = /^import [^;]*;$/gm;

/**
 * Assigns a path to each snippet. If a page shows a file again, later snippets import the new version, and earlier
 * snippets import the previous version.
 */
function placesOf(snippets: readonly Snippet[]): Map<string, Snippet> {
  const placed = new Map<string, Snippet>();
  const groups = new Map<string, Map<string, Snippet>[]>();
  for (const [index, snippet] of snippets.entries()) {
    if (snippet.file === undefined) {
      placed.set(`${folder}/alone/${index}.${snippet.language}`, snippet);
      continue;
    }
    const { group = '' } = snippet;
    const versions = groups.get(group) ?? [new Map<string, Snippet>()];
    groups.set(group, versions);
    if (versions.at(-1)!.has(snippet.file)) versions.push(new Map(versions.at(-1)));
    versions.at(-1)!.set(snippet.file, snippet);
  }
  for (const [number, version] of [...groups.values()].flat().entries())
    for (const [file, snippet] of version) placed.set(`${folder}/${number}/${file}`, snippet);
  return placed;
}

/** Returns the code before the snippet, including its imports if it is shown inside other code. */
function beforeOf({ before = '', after, code }: Snippet): string {
  const own = after === undefined ? [] : (code.match(imports) ?? []);
  return [...own, before.trimEnd()].map((text) => `${text}\n`).join('');
}

function moduleOf(snippet: Snippet): string {
  const { code, after } = snippet;
  const inside =
    after === undefined ? code : code.replaceAll(imports, (own) => own.replaceAll(/[^\n]/g, ''));
  // Add an export, because snippets without imports and exports share global names.
  return `${beforeOf(snippet)}${inside}\n${after ?? ''}\nexport {};\n`;
}

async function compile(copy: string, placed: ReadonlyMap<string, Snippet>): Promise<string[]> {
  const tsc = join(copy, 'node_modules', '.bin', 'tsc');
  const options = ['-p', 'tsconfig.snippets.json', '--pretty', 'false'];
  const output = await promisify(execFile)(tsc, options, { cwd: copy, maxBuffer: 2 ** 26 }).then(
    () => '',
    (error: { stdout?: string; message: string }) => error.stdout || error.message,
  );
  return output
    .trim()
    .split(/\n(?!\s)/)
    .filter((line) => line !== '')
    .map((line) => {
      const [, name = '', row, rest] = /^(.+?)\((\d+),\d+\): (.*)$/s.exec(line) ?? [];
      const snippet = placed.get(name);
      if (!snippet) return line;
      const above = beforeOf(snippet).split('\n').length - 1;
      return `${snippet.path}:${snippet.line + Number(row) - 1 - above}: ${rest}`;
    });
}
