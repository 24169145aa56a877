import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importBundled } from '../../../src/cli/replay/import-bundled.ts';
import { stackFrames } from '../../../src/core/model/stack-frames.ts';
import { folderForFile } from '../../support/after-file.ts';
import { thrownBy } from '../../support/thrown-by.ts';

it('importBundled preserves the positions of errors in the original file', async () => {
  const file = join(await folderForFile(), 'failing.ts');
  await writeFile(file, "\n\nexport const fail = () => {\n  throw new Error('a bug');\n};");
  const { fail } = (await importBundled(file)) as { readonly fail: () => never };
  expect(stackFrames(thrownBy(fail))[0]).toMatchObject({ file, line: 4 });
});
