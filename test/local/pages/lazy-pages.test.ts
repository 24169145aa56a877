import { expect, it, vi } from 'vitest';
import { lazyPages } from '../../../src/local/pages/lazy-pages.ts';

it('pages are loaded when they are first requested, and only once', async () => {
  const files = new Map();
  const load = vi.fn(async () => files);
  const pages = lazyPages(load, () => {});
  expect(load).not.toHaveBeenCalled();
  expect(await Promise.all([pages(), pages()])).toEqual([files, files]);
  expect(await pages()).toBe(files);
  expect(load).toHaveBeenCalledTimes(1);
});

it('pages that cannot be loaded are undefined, and the reason is logged once', async () => {
  const lines: string[] = [];
  const load = () => Promise.reject(new Error('no such file'));
  const pages = lazyPages(load, (line) => lines.push(line));
  expect([await pages(), await pages()]).toEqual([undefined, undefined]);
  expect(lines).toEqual(['The web pages are not available: no such file']);
});
