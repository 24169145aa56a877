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

it('pages that cannot be loaded are undefined, and the next request loads them again', async () => {
  const files = new Map();
  const lines: string[] = [];
  const loads = [
    () => Promise.reject(new Error('no such file')),
    () => Promise.reject(new Error('unexpected token')),
    () => Promise.resolve(files),
  ];
  const pages = lazyPages(
    () => loads.shift()!(),
    (line) => lines.push(line),
  );
  expect(await Promise.all([pages(), pages()])).toEqual([undefined, undefined]);
  expect(await pages()).toBe(undefined);
  expect([await pages(), await pages()]).toEqual([files, files]);
  expect(lines).toEqual(
    ['no such file', 'unexpected token'].map(
      (reason) => `The web pages are not available: ${reason}`,
    ),
  );
});
