import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder } from '../../src/common/create-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'milepost-create-folder-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('createFolder', () => {
  it('creates the missing parent folders, even if several callers create them at the same time', async () => {
    const paths = ['a', 'b'].map((name) => join(root, 'deep', 'er', name));
    await Promise.all([...paths, ...paths].map(createFolder));
    for (const path of paths) expect(statSync(path).isDirectory()).toBe(true);
    await createFolder(root);
  });

  it('fails if part of the path is not a folder', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    const link = join(root, 'link');
    symlinkSync(join(root, 'nowhere'), link);
    for (const taken of [file, link])
      for (const path of [taken, join(taken, 'below')])
        await expect(createFolder(path)).rejects.toThrow(
          `EEXIST: file already exists, mkdir '${taken}'`,
        );
  });
});
