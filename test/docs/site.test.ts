import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { curlOf } from '../../scripts/docs/curl.ts';
import { exportsOf } from '../../scripts/docs/exports.ts';
import { indexPages, withSiteLinks } from '../../scripts/docs/gather.ts';
import { httpPages } from '../../scripts/docs/http.ts';
import { pageOf } from '../../scripts/docs/layout.ts';
import { readApiDescription } from '../../scripts/docs/openapi.ts';
import { fencesOf, root } from '../support/docs/markdown.ts';
import { entries, publicExports } from '../support/docs/public-exports.ts';
import { commandsIn } from '../support/docs/shell-commands.ts';

const { operations, schemas } = await readApiDescription();
const named = operations.map((each) => [`${each.method} ${each.path}`, each] as const);
const pages = await httpPages();

/** Parses the words of a curl command. Returns its request. */
function requestOf([program, ...words]: readonly string[]) {
  const valueOf = (option: string) => words[words.indexOf(option) + 1];
  const url = words.find((word) => word.startsWith('http'))!;
  return {
    program,
    method: words.includes('-X') ? valueOf('-X') : 'GET',
    url: new URL(url),
    body: words.includes('-d') ? valueOf('-d') : undefined,
  };
}

describe('the pages about the HTTP API', () => {
  it('consist of one page for each operation and an overview', () => {
    expect(operations.length).toBeGreaterThan(20);
    expect(new Set(pages.map(({ page }) => page)).size).toBe(operations.length + 1);
  });

  it('have distinct titles that describe a task', () => {
    const titles = pages.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    // A title starts with an imperative, as in "List instances", and contains no path or method.
    const others = titles.filter((title) => !/^[A-Z][a-z]+ [^/{}]+$/.test(title));
    expect(others).toEqual(['HTTP API']);
  });

  it('have distinct headings within each page', () => {
    for (const { page, text } of pages) {
      const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
      expect([page, new Set(headings).size]).toEqual([page, headings.length]);
    }
  });

  it('include an overview with a link to every operation', () => {
    const overview = pages.find(({ tag }) => tag === undefined)!;
    for (const { title } of pages.filter(({ tag }) => tag !== undefined))
      expect(overview.text).toContain(`[${title}](`);
  });

  it.each(pages.filter(({ tag }) => tag !== undefined).map((each) => [each.title, each] as const))(
    'include a curl command for %s',
    (_, { page, text }) => {
      const [example] = fencesOf({ path: page, text }).filter(({ language }) => language === 'sh');
      expect(example?.code).toMatch(/^curl /);
    },
  );
});

describe('the curl command of an API operation', () => {
  it.each(named)('is a valid request: %s', async (_, operation) => {
    const [command, ...others] = await commandsIn(curlOf(operation));
    expect(others).toEqual([]);
    const { program, method, url, body } = requestOf(command!);
    expect({ program, method }).toEqual({ program: 'curl', method: operation.method });
    const path = new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    expect(url.pathname).toMatch(path);
    const queries = operation.parameters.filter((each) => each.in === 'query');
    const known = queries.map(({ name }) => name);
    expect(known).toEqual(expect.arrayContaining([...url.searchParams.keys()]));
    const schema = operation.requestBody?.content?.['application/json']?.schema;
    expect(body !== undefined).toBe(schema !== undefined);
    if (schema === undefined) return;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const validate = ajv.compile({ ...schema, components: { schemas } });
    validate(JSON.parse(body!));
    expect(validate.errors).toBeNull();
  });
});

describe('the documentation site', () => {
  it('contains no source files', async () => {
    const { stdout } = await promisify(execFile)('git', ['ls-files'], { cwd: root });
    const shown = stdout.split('\n').filter((file) => pageOf(file) !== undefined);
    expect(shown.length).toBeGreaterThan(50);
    expect(shown.filter((file) => !file.endsWith('.md'))).toEqual([]);
  });

  it('shows the path of a source file instead of a link to it', () => {
    const files = ['docs/deploy.md', 'docs/cost.md', 'lib/alarms.ts'];
    const links = '[alarms](../lib/alarms.ts), [cost](cost.md#year), [AWS](https://aws.amazon.com)';
    expect(withSiteLinks(links, 'docs/deploy.md', 'deploy.md', files)).toBe(
      '<span class="file" title="lib/alarms.ts">alarms</span>, [cost](./cost.md#year), [AWS](https://aws.amazon.com)',
    );
  });

  it('builds an index page from docs/README.md for each folder that contains no index', () => {
    const files = ['docs/tutorial/index.md', 'docs/how-to/deploy.md', 'docs/decisions/0001-a.md'];
    const readme = [
      '# Documentation',
      '## Tutorial\n\n- [Track a parcel](tutorial/index.md)',
      '## How-to guides\n\nOperation\n\n- [Deploy](how-to/deploy.md#aws), see [why](decisions)',
    ].join('\n\n');
    expect(indexPages(readme, files)).toEqual([
      {
        page: 'how-to/index.md',
        text: '# How-to guides\n\n## Operation\n\n- [Deploy](./deploy.md#aws), see [why](../decisions/index.md)',
      },
    ]);
  });

  it('is checked for a page of every public export', async () => {
    const texts = await Promise.all(
      Object.values(entries).map((file) => readFile(join(root, file), 'utf8')),
    );
    const exported = (await publicExports()).map(({ name }) => name);
    expect(texts.flatMap(exportsOf).toSorted()).toEqual(exported.toSorted());
  });

  it('starts with a picture, at most five lines of code, and the data flow, before any table', async () => {
    const text = await readFile(join(root, 'docs/site/index.md'), 'utf8');
    const [model] = fencesOf({ path: 'docs/site/index.md', text });
    const lines = model!.code.split('\n').filter((line) => line !== '');
    expect(lines.length).toBeLessThanOrEqual(5);
    const places = ['<img ', '```ts', '<ol class="flow">'].map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(text.slice(0, places.at(-1))).not.toMatch(/^\|/m);
  });
});

it('the front page starts with the front matter of its layout', async () => {
  const page = await readFile(join(root, 'docs', 'site', 'index.md'), 'utf8');
  expect(page).toMatch(/^---\nlayout: home\nhero:\n {2}name: Milepost\n(?:.+\n)+---\n/);
});
