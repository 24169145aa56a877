import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { copyOfProject } from './copy-of-project.ts';

/** A piece of TypeScript that people read, as a module. */
export interface Snippet {
  /** Where it is, `docs/deploy.md`, and the line that its code starts in. */
  readonly path: string;
  readonly line: number;
  readonly code: string;
  /** What stands before the code and behind it. */
  readonly before?: string;
  readonly after?: string;
  /** Where in the project it goes; left out: a place of its own. */
  readonly file?: string;
  /** `ts` or `tsx`. */
  readonly language: string;
}

const folder = 'snippets';

/**
 * Type-checks snippets, all in one go, in a copy of the project as a reader has it.
 *
 * @returns what is wrong: the place in the page, and what the compiler says.
 */
export async function typeErrors(snippets: readonly Snippet[]): Promise<string[]> {
  const copy = await copyOfProject();
  try {
    const placed = new Map<string, Snippet>();
    for (const [index, snippet] of snippets.entries()) {
      const name = snippet.file ?? `${folder}/${index}.${snippet.language}`;
      placed.set(name, snippet);
      await mkdir(dirname(join(copy, name)), { recursive: true });
      await writeFile(join(copy, name), moduleOf(snippet));
    }
    const compilerOptions = {
      noUnusedLocals: false,
      noUnusedParameters: false,
      jsx: 'react-jsx',
      jsxImportSource: 'preact',
    };
    const project = { extends: './tsconfig.json', compilerOptions, include: [...placed.keys()] };
    await writeFile(join(copy, 'tsconfig.snippets.json'), JSON.stringify(project));
    return await compile(copy, placed);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

const imports = /^import [^;]*;$/gm;

/** What stands before the code: its imports too, where it is shown as the inside of something. */
function beforeOf({ before = '', after, code }: Snippet): string {
  const own = after === undefined ? [] : (code.match(imports) ?? []);
  return [...own, before.trimEnd()].map((text) => `${text}\n`).join('');
}

function moduleOf(snippet: Snippet): string {
  const { code, after } = snippet;
  const inside =
    after === undefined ? code : code.replaceAll(imports, (own) => own.replaceAll(/[^\n]/g, ''));
  // Without imports and exports it would share its names with all others.
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
