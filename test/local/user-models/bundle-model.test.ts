import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultLog } from '../../../lambdas/support/monitoring/fault-log.ts';
import { StartError } from '../../../src/aws-local/server/start-error.ts';
import { ModelFault } from '../../../src/core/model/model-fault.ts';
import {
  bundleModel,
  removeOtherBundles,
  writeBundle,
} from '../../../src/local/user-models/bundle-model.ts';
import { thrownBy } from '../../support/thrown-by.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'milepost-bundle-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('bundleModel', () => {
  it('reports a missing import in one line', async () => {
    const entry = join(root, 'lambda.ts');
    await writeFile(entry, "import { f } from 'not-installed';\nexport const handler = f;");
    const bundling = bundleModel({ id: 'parcel', entry }, join(root, 'bundles'));
    await expect(bundling).rejects.toThrow(StartError);
    await expect(bundling).rejects.toThrow(
      /^the model parcel does not compile: .*lambda\.ts:1:19: Could not resolve "not-installed"$/,
    );
  });
});

describe('a fault in a bundled model', () => {
  it('is reported with its location in the source, relative to the project', async () => {
    const folder = join(root, 'models', 'parcel');
    await mkdir(folder, { recursive: true });
    const sources = {
      'lambda.ts':
        "import { sizeOf } from './model.ts';\n\nexport const handler = () => sizeOf({});",
      'model.ts':
        'interface Parcel { readonly box?: { readonly size: number } }\n\nexport const sizeOf = (parcel: Parcel) =>\n  parcel.box!.size;',
    };
    for (const [name, text] of Object.entries(sources)) await writeFile(join(folder, name), text);
    const entry = join(folder, 'lambda.ts');
    const { codePath } = await bundleModel({ id: 'parcel', entry }, join(root, 'bundles'));
    const { handler } = (await import(join(codePath, 'index.mjs'))) as { handler: () => void };
    const cause = thrownBy(handler);
    const self = join(codePath, 'index.mjs');
    const faults = faultLog({ folder: codePath, self, eventData: false }, console);
    const fault = new ModelFault('it failed', { reason: 'it failed', place: undefined, cause });
    expect(faults.placeOf(fault)).toBe('models/parcel/model.ts:4:15');
    const map = await readFile(`${self}.map`, 'utf8');
    expect(map).not.toContain(root);
  });
});

describe('removeOtherBundles', () => {
  it('keeps only bundles in use', async () => {
    const [old, used] = [
      await writeBundle('parcel', [{ path: 'index.mjs', text: 'export {};' }], root),
      await writeBundle('parcel', [{ path: 'index.mjs', text: 'export const a = 1;' }], root),
    ];
    await removeOtherBundles(root, new Set([used.codePath]));
    const left = await readdir(join(root, 'parcel'));
    expect(left).toHaveLength(1);
    expect(old.codePath).not.toContain(left[0]);
  });

  it("keeps a user's files", async () => {
    const paths = ['parcel/lambda.ts', 'parcel/queries/list.sql'].map((path) => join(root, path));
    await mkdir(join(root, 'parcel', 'queries'), { recursive: true });
    for (const path of paths) await writeFile(path, '');
    await removeOtherBundles(root, new Set());
    for (const path of paths) expect(await readFile(path, 'utf8')).toBe('');
  });

  it('does nothing if there are no bundles', async () => {
    await mkdir(join(root, 'empty'));
    await expect(removeOtherBundles(join(root, 'none'), new Set())).resolves.toBeUndefined();
  });
});
