import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartError } from '../../../src/local/settings.ts';
import {
  bundleModel,
  removeOtherBundles,
  writeBundle,
} from '../../../src/local/user-models/bundle-model.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'milepost-bundle-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('bundleModel', () => {
  it('says in one line what is missing', async () => {
    const entry = join(root, 'lambda.ts');
    await writeFile(entry, "import { f } from 'not-installed';\nexport const handler = f;");
    const bundling = bundleModel({ id: 'parcel', entry }, join(root, 'bundles'));
    await expect(bundling).rejects.toThrow(StartError);
    await expect(bundling).rejects.toThrow(
      /^the model parcel does not compile: .*lambda\.ts:1:19: Could not resolve "not-installed"$/,
    );
  });
});

describe('removeOtherBundles', () => {
  it('leaves those that are used', async () => {
    const [old, used] = [
      await writeBundle('parcel', [{ path: 'index.mjs', text: 'export {};' }], root),
      await writeBundle('parcel', [{ path: 'index.mjs', text: 'export const a = 1;' }], root),
    ];
    await removeOtherBundles(root, new Set([used.codePath]));
    const left = await readdir(join(root, 'parcel'));
    expect(left).toHaveLength(1);
    expect(old.codePath).not.toContain(left[0]);
  });

  it('has nothing to do where there are none', async () => {
    await mkdir(join(root, 'empty'));
    await expect(removeOtherBundles(join(root, 'none'), new Set())).resolves.toBeUndefined();
  });
});
