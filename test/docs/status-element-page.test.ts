import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { statusStyle } from '../../src/customer-page/style.ts';
import { fencesOf, readPages, root } from '../support/docs/markdown.ts';

const pages = await readPages();
const page = pages.find(({ path }) => path === 'docs/how-to/share-status-pages.md')!;
const [, observed] = /observedAttributes = \[([^\]]*)\]/.exec(
  await readFile(join(root, 'web', 'milepost-status', 'milepost-status.ts'), 'utf8'),
)!;
const attributes = [...observed!.matchAll(/'([^']+)'/g)].map(([, name]) => name!);
const namesIn = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))].toSorted();

describe('docs/how-to/share-status-pages.md', () => {
  it('lists the attributes of `<milepost-status>`', () => {
    const listed = namesIn(page.text, /^\| `([a-z][a-z-]*)` \|/gm);
    expect(listed).toEqual(attributes.toSorted());
  });

  it('lists the custom properties of `<milepost-status>`', () => {
    const pattern = /(--milepost-[a-z-]+)/g;
    expect(namesIn(page.text, pattern)).toEqual(namesIn(statusStyle, pattern));
  });
});

it('every HTML block of the documentation uses only existing attributes of `<milepost-status>`', () => {
  const blocks = pages.flatMap(fencesOf).filter(({ language }) => language === 'html');
  const tags = blocks.flatMap(({ code }) => code.match(/<milepost-status[^>]*>/g) ?? []);
  expect(tags.length).toBeGreaterThan(0);
  for (const tag of tags)
    expect(attributes).toEqual(expect.arrayContaining(namesIn(tag, / ([a-z-]+)=/g)));
});
