import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { usageError } from '../support/docs/command-usage.ts';
import { type Fence, fencesOf, placeOf, readPages, root } from '../support/docs/markdown.ts';
import { commandsIn } from '../support/docs/shell-commands.ts';
import { typeErrors } from '../support/docs/typed-snippets.ts';

const pages = await readPages();
const fences = pages.flatMap(fencesOf);
const inLanguage = (...languages: readonly string[]) =>
  fences.filter(
    ({ language, unchecked }) => languages.includes(language) && unchecked === undefined,
  );

/** The languages of code blocks, each with the check that covers it. */
const languages = {
  '': 'output of programs, and other plain text; not checked',
  ts: 'type-checked here',
  tsx: 'type-checked here',
  json: 'parsed here',
  yaml: 'parsed here',
  sh: 'parsed here; run by readme.test.ts and commands.test.ts if possible',
  py: 'compiled here, if Python is installed',
  html: 'checked by status-element-page.test.ts',
  js: 'run by test:clients; send-events.test.ts compares the text',
  java: 'run by test:clients; send-events.test.ts compares the text',
  xml: 'run by test:clients; send-events.test.ts compares the text',
  go: 'run by test:clients; send-events.test.ts compares the text',
  sql: 'checked by test/docs/archive-page.test.ts',
  mermaid: 'a diagram of the text; not checked',
};

/** Returns the blocks, each with its position, which is the name of its test. */
const named = (found: readonly Fence[]) => found.map((each) => [placeOf(each), each] as const);

describe('every code block of the documentation', () => {
  it('is collected from the README, the guides, and the READMEs of the models', () => {
    expect(pages.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['README.md', 'docs/how-to/deploy.md', 'models/tickets/README.md']),
    );
    expect(fences.length).toBeGreaterThan(100);
  });

  it('declares a known language', () => {
    const unknown = fences.filter(({ language }) => !Object.hasOwn(languages, language));
    // To fix: use one of `languages`, or add the language with the check that covers it.
    expect(unknown.map((each) => `${placeOf(each)}: ${each.language}`)).toEqual([]);
  });

  it('is SQL only on pages that have a test', () => {
    expect(new Set(inLanguage('sql').map(({ path }) => path))).toEqual(
      new Set(['docs/how-to/query-the-archive.md']),
    );
  });

  it('is checked, with at most five exceptions, each with a reason', () => {
    const left = fences.filter(({ unchecked }) => unchecked !== undefined);
    expect(left.filter(({ unchecked = '' }) => unchecked.length < 10).map(placeOf)).toEqual([]);
    expect(left.length).toBeLessThanOrEqual(5);
  });
});

describe('a TypeScript block of the documentation', () => {
  it('compiles with the exports of Milepost', async () => {
    const snippets = inLanguage('ts', 'tsx').map(({ around = '', ...each }) => {
      const [before, after] = around.split(/^\s*…\s*$/m);
      const group = each.path.includes('/') ? dirname(each.path) : each.path;
      return { ...each, before, after, group };
    });
    expect(snippets.length).toBeGreaterThan(15);
    // To fix: put code that a block needs into a comment before the block, see CONTRIBUTING.md.
    expect(await typeErrors(snippets)).toEqual([]);
  }, 300_000);
});

describe('a JSON block of the documentation', () => {
  it.each(named(inLanguage('json')))('is well-formed: %s', (_, { code }) => {
    expect(() => JSON.parse(code)).not.toThrow();
  });
});

describe('a YAML block of the documentation', () => {
  it.each(named(inLanguage('yaml')))('is well-formed: %s', (_, { code }) => {
    expect(() => parseYaml(code)).not.toThrow();
  });
});

const hasPython = await promisify(execFile)('python3', ['--version']).then(
  () => true,
  () => false,
);

/** A placeholder for `it.each` if there are no blocks. */
const none = ['(none)', { code: '' } as Fence] as const;

describe.skipIf(!hasPython)('a Python block of the documentation', () => {
  const found = inLanguage('py');
  it.each(named(found).concat(found.length === 0 ? [none] : []))(
    'compiles: %s',
    async (_, { code }) => {
      const check = ['-c', 'import ast, sys; ast.parse(sys.argv[1])', code];
      await expect(promisify(execFile)('python3', check)).resolves.toBeDefined();
    },
  );
});

const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });

/** Returns why a command cannot run; undefined if it uses existing programs, scripts, options, and values. */
async function wrongWith([name = '', ...words]: readonly string[]): Promise<string | undefined> {
  if (name === 'milepost') return usageError(words);
  if (name === 'npx') {
    const [program = '', ...rest] = words.filter((word) => word !== '--no-install');
    if (program === 'milepost') return usageError(rest);
    if (existsSync(join(root, 'node_modules', '.bin', program))) return undefined;
    return `npx ${program}: no such program comes with the project`;
  }
  if (name === 'npm' && words[0] === 'run') {
    const script = words.find((word, index) => index > 0 && !word.startsWith('-')) ?? '';
    return Object.hasOwn(manifest.scripts, script)
      ? undefined
      : `npm run ${script}: no such script`;
  }
  return undefined;
}

describe('a shell block of the documentation', () => {
  it.each(named(inLanguage('sh')))(
    'is well-formed and uses existing commands: %s',
    async (_, fence) => {
      const commands = await commandsIn(fence.code);
      const wrong = await Promise.all(commands.map(wrongWith));
      expect(wrong.filter((each) => each !== undefined)).toEqual([]);
    },
  );

  it.each(named(inLanguage('sh')))(
    'starts `milepost` with npx, unless its page defines `milepost`: %s',
    async (_, { path, code }) => {
      const page = pages.find((each) => each.path === path)!;
      const bare = (await commandsIn(code)).filter(([name]) => name === 'milepost');
      // A reader who installed the package or a clone has no `milepost` on the PATH.
      expect(page.text.includes('milepost() {') ? [] : bare).toEqual([]);
    },
  );

  it('is parsed into commands without running them', async () => {
    const script = `cd /tmp && npx milepost list --key "customer:42" | head -1\nx=$(aws s3 ls)`;
    expect(await commandsIn(script)).toEqual(
      expect.arrayContaining([
        ['npx', 'milepost', 'list', '--key', 'customer:42'],
        ['head', '-1'],
        ['aws', 's3', 'ls'],
      ]),
    );
    await expect(commandsIn('if true; then')).rejects.toThrow(/syntax error/);
  });

  it('is reported if it uses an unknown command, option, or value', async () => {
    expect(await wrongWith(['milepost', 'lst'])).toMatch(/unknown command/);
    expect(await wrongWith(['npx', 'milepost', 'list', '--statsu', 'Active'])).toMatch(
      /unknown option/,
    );
    expect(await wrongWith(['milepost', 'status', 'activation'])).toMatch(/missing required/);
    expect(await wrongWith(['npm', 'run', 'nothing'])).toMatch(/no such script/);
    expect(await wrongWith(['milepost', 'status', 'activation', 'ATV-123'])).toBeUndefined();
  });
});
