import { expect, it } from 'vitest';
import { lazyPages } from '../../../src/local/pages/lazy-pages.ts';

it('pages are loaded when they are first requested, and only once', async () => {
  const files = new Map();
  let loads = 0;
  const load = async () => {
    loads++;
    return files;
  };
  const pages = lazyPages(load, () => {});
  expect(loads).toBe(0);
  expect(await Promise.all([pages(), pages()])).toEqual([files, files]);
  expect(await pages()).toBe(files);
  expect(loads).toBe(1);
});

it('pages that cannot be loaded are undefined, and the reason is logged once', async () => {
  const lines: string[] = [];
  const load = () => Promise.reject(new Error('no such file'));
  const pages = lazyPages(load, (line) => lines.push(line));
  expect([await pages(), await pages()]).toEqual([undefined, undefined]);
  expect(lines).toEqual(['The web pages are not available: no such file']);
});
