import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fencesOf, readPages, root } from '../support/docs/markdown.ts';

const examples = {
  js: 'node/send-events.mjs',
  py: 'python/send_events.py',
  java: 'java/src/main/java/SendEvents.java',
  xml: 'java/pom.xml',
  go: 'go/main.go',
};

const pages = await readPages();
const programs = pages.flatMap(fencesOf).filter(({ language }) => language in examples);
const ofPage = programs.filter(({ path }) => path === 'docs/how-to/send-events.md');

// The files with the page's programs, which `npm run test:clients` runs.
describe('docs/how-to/send-events.md', () => {
  it.each(Object.entries(examples))('shows the tested program in %s', async (language, file) => {
    const shown = ofPage.filter((fence) => fence.language === language);
    const program = await readFile(join(root, 'examples', 'send-events', file), 'utf8');
    expect(shown.map(({ code }) => code)).toEqual([program]);
  });

  it('is the only page with programs in languages that have no other test', () => {
    const elsewhere = programs.filter(
      ({ path, language }) => path !== 'docs/how-to/send-events.md' && language !== 'py',
    );
    expect(elsewhere).toEqual([]);
  });
});
