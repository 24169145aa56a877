import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { expect, it } from 'vitest';
import { ProcessTracker } from '../../lib/index.ts';
import { bundles, entry, newFolder } from './tracker.ts';

it('bundles a model into an ES module that stands alone', async () => {
  const outdir = newFolder('bundled');
  const app = new App({ outdir });
  const tracker = new ProcessTracker(new Stack(app, 'Test'), 'Tracker', { bundles });
  tracker.addModel('orders', { entry });
  app.synth();

  const assets = readdirSync(outdir).filter((name) => name.startsWith('asset.'));
  const modules = await Promise.all(
    assets.map((asset) => import(join(outdir, asset, 'index.mjs'))),
  );
  const model = modules.find(({ handler }) => typeof handler === 'function');
  expect(await model.handler({ op: 'describe' })).toBe('asked to describe');
});
