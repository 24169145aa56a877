import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { usageError } from '../support/command-usage.ts';
import { type Fence, fencesOf, placeOf, readPages, root } from '../support/markdown.ts';
import { commandsIn } from '../support/shell-commands.ts';
import { typeErrors } from '../support/typed-snippets.ts';

const pages = await readPages();
const fences = pages.flatMap(fencesOf);
const inLanguage = (...languages: readonly string[]) =>
  fences.filter(
    ({ language, unchecked }) => languages.includes(language) && unchecked === undefined,
  );

/** What a block of code can be in, and what looks at it. */
const languages = {
  '': 'what a program says, and other plain text',
  ts: 'type-checked here',
  tsx: 'type-checked here',
  json: 'parsed here',
  yaml: 'parsed here',
  sh: 'taken apart here; run by readme.test.ts and commands.test.ts where that can be',
  py: 'compiled here, where there is Python',
  js: 'run by test:clients, as send-events.test.ts makes sure',
  java: 'run by test:clients, as send-events.test.ts makes sure',
  xml: 'run by test:clients, as send-events.test.ts makes sure',
  go: 'run by test:clients, as send-events.test.ts makes sure',
  sql: 'looked at by test/docs/archive-page.test.ts',
  mermaid: 'a picture of what the text says',
};

/** A block for each test, by its place. */
const named = (found: readonly Fence[]) => found.map((each) => [placeOf(each), each] as const);

describe('every block of code', () => {
  it('is there to be found', () => {
    expect(pages.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['README.md', 'docs/how-to/deploy.md', 'models/tickets/README.md']),
    );
    expect(fences.length).toBeGreaterThan(100);
  });

  it('says in a language that is checked what it is in', () => {
    const unknown = fences.filter(({ language }) => !Object.hasOwn(languages, language));
    // Give it one of `languages`, or add the language there, with what checks it.
    expect(unknown.map((each) => `${placeOf(each)}: ${each.language}`)).toEqual([]);
  });

  it('is of SQL only where a test looks at it', () => {
    expect(new Set(inLanguage('sql').map(({ path }) => path))).toEqual(
      new Set(['docs/how-to/query-the-archive.md']),
    );
  });

  it('is checked, but for a few', () => {
    const left = fences.filter(({ unchecked }) => unchecked !== undefined);
    expect(left.filter(({ unchecked = '' }) => unchecked.length < 10).map(placeOf)).toEqual([]);
    expect(left.length).toBeLessThanOrEqual(5);
  });
});

describe('TypeScript', () => {
  it('is what the compiler takes, with what Milepost exports', async () => {
    const snippets = inLanguage('ts', 'tsx').map(({ around = '', ...each }) => {
      const [before, after] = around.split(/^\s*…\s*$/m);
      const group = each.path.includes('/') ? dirname(each.path) : each.path;
      return { ...each, before, after, group };
    });
    expect(snippets.length).toBeGreaterThan(15);
    // What a block needs around it goes into a comment before it: see CONTRIBUTING.md.
    expect(await typeErrors(snippets)).toEqual([]);
  }, 300_000);
});

describe('JSON', () => {
  it.each(named(inLanguage('json')))('is well-formed: %s', (_, { code }) => {
    expect(() => JSON.parse(code)).not.toThrow();
  });
});

describe('YAML', () => {
  it.each(named(inLanguage('yaml')))('is well-formed: %s', (_, { code }) => {
    expect(() => parseYaml(code)).not.toThrow();
  });
});

const hasPython = await promisify(execFile)('python3', ['--version']).then(
  () => true,
  () => false,
);

/** In place of no blocks at all, which is fine too. */
const none = ['(none)', { code: '' } as Fence] as const;

describe.skipIf(!hasPython)('Python', () => {
  const found = inLanguage('py');
  it.each(named(found).concat(found.length === 0 ? [none] : []))(
    'is what Python takes: %s',
    async (_, { code }) => {
      const check = ['-c', 'import ast, sys; ast.parse(sys.argv[1])', code];
      await expect(promisify(execFile)('python3', check)).resolves.toBeDefined();
    },
  );
});

const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });

/** What is wrong with a command that a reader is told to run; undefined: nothing that shows. */
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

describe('shell', () => {
  it.each(named(inLanguage('sh')))(
    'is well-formed, and asks for what there is: %s',
    async (_, fence) => {
      const commands = await commandsIn(fence.code);
      const wrong = await Promise.all(commands.map(wrongWith));
      expect(wrong.filter((each) => each !== undefined)).toEqual([]);
    },
  );

  it('runs nothing while it is taken apart, and sees each command with its words', async () => {
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

  it('refuses a command, an option and a value that there are not', async () => {
    expect(await wrongWith(['milepost', 'lst'])).toMatch(/unknown command/);
    expect(await wrongWith(['npx', 'milepost', 'list', '--statsu', 'Active'])).toMatch(
      /unknown option/,
    );
    expect(await wrongWith(['milepost', 'status', 'activation'])).toMatch(/missing required/);
    expect(await wrongWith(['npm', 'run', 'nothing'])).toMatch(/no such script/);
    expect(await wrongWith(['milepost', 'status', 'activation', 'ATV-123'])).toBeUndefined();
  });
});
