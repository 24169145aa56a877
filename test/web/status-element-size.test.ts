import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { statusElementBuildOptions } from '../../src/local/bundling/status-element-build-options.ts';
import { packageFolder } from '../../src/package-folder.ts';

it('<milepost-status> is one module of less than 7 KB when compressed, without imports', async () => {
  const { outputFiles } = await build({
    ...statusElementBuildOptions,
    absWorkingDir: packageFolder,
    write: false,
  });
  expect(outputFiles).toHaveLength(1);
  const { text } = outputFiles[0]!;
  expect(text).not.toMatch(/\bimport\b/);
  expect(gzipSync(text).length).toBeLessThan(7_000);
});
