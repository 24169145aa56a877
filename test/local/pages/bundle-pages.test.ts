import { context } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { bundlePages } from '../../../src/local/pages/bundle-pages.ts';

it('bundling the pages does not stop the esbuild process that watches models', async () => {
  const watching = await context({ stdin: { contents: 'export const a = 1' }, write: false });
  onTestFinished(() => watching.dispose());
  await bundlePages();
  expect((await watching.rebuild()).outputFiles[0]?.text).toContain('a = 1');
});
