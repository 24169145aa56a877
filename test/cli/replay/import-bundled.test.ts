import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importBundled } from '../../../src/cli/replay/import-bundled.ts';
import { stackFrames } from '../../../src/core/model/stack-frames.ts';
import { thrownBy } from '../../support/thrown-by.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-import-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('importBundled imports a file whose imports have no extension', async () => {
  await writeFile(join(folder, 'color.ts'), "export enum Color { Red = 'red' }");
  const file = join(folder, 'model.ts');
  await writeFile(file, "import { Color } from './color';\nexport const color = Color.Red;");
  expect(await importBundled(file)).toMatchObject({ color: 'red' });
});

it('importBundled preserves the positions of errors in the original file', async () => {
  const file = join(folder, 'failing.ts');
  await writeFile(file, "\n\nexport const fail = () => {\n  throw new Error('a bug');\n};");
  const { fail } = (await importBundled(file)) as { readonly fail: () => never };
  expect(stackFrames(thrownBy(fail))[0]).toMatchObject({ file, line: 4 });
});
