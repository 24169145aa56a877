import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { App, Stack } from 'aws-cdk-lib';
import { transform } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleSizes } from '../../bench/cold-start/bundle-sizes.ts';
import { readDefinition } from '../../bench/support/definition.ts';
import { ProcessTracker } from '../../lib/index.ts';
import { bundles, entry, newFolder } from './tracker.ts';

/** A preload module that makes a program see Node.js 20, which some Lambda emulators use. */
const onNode20 = `data:text/javascript,globalThis.process = Object.create(process, {
  version: { value: 'v20.20.2' },
  versions: { value: { ...process.versions, node: '20.20.2' } },
})`;

const sentence =
  'Error: Milepost functions need Node.js 24 or later, but this is v20.20.2; ' +
  'put a newer node first on the PATH of the process that runs them';

/** Runs a program. Returns the line with its error, or undefined if it succeeds. */
async function errorOf(...args: readonly string[]): Promise<string | undefined> {
  const ended = promisify(execFile)(process.execPath, args);
  const stderr = await ended.then(
    () => '',
    (error: { readonly stderr: string }) => error.stderr,
  );
  return stderr.split('\n').find((line) => /^\w*Error: /.test(line));
}

describe('with Node.js 20', () => {
  let files: readonly { readonly name: string; readonly file: string }[];
  beforeAll(async () => {
    const { service } = await readDefinition();
    files = await bundleSizes(service);
  }, 60_000);

  it('every function except the registrar fails to load with an error that requires a newer version', async () => {
    const guarded = files.filter(({ name }) => name !== 'registrar');
    expect(guarded.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['dispatcher', 'api', 'model activation']),
    );
    for (const { name, file } of guarded)
      expect([name, await errorOf('--import', onNode20, file)]).toEqual([name, sentence]);
  }, 60_000);

  it("the registrar loads, so the deployment fails with the model's error", async () => {
    const registrar = files.find(({ name }) => name === 'registrar')!;
    expect(await errorOf('--import', onNode20, registrar.file)).toBeUndefined();
  });

  it('every bundle can be parsed, so that its error is shown', async () => {
    for (const { name, file } of files) {
      const code = await readFile(file, 'utf8');
      const bundle = await transform(code, { format: 'esm', target: 'esnext', minify: true });
      const lowered = await transform(code, { format: 'esm', target: 'node20', minify: true });
      expect(`${name}: ${lowered.code === bundle.code}`).toBe(`${name}: true`);
    }
  }, 60_000);
});

it('the bundle of a model keeps the banner that the app sets', async () => {
  const outdir = newFolder('with-banner');
  const app = new App({ outdir });
  const tracker = new ProcessTracker(new Stack(app, 'Test'), 'Tracker', { bundles });
  const banner = "if (process.argv.includes('halt')) throw new Error('their banner');";
  tracker.addModel('orders', { entry, bundling: { banner } });
  app.synth();

  const assets = readdirSync(outdir, { recursive: true, encoding: 'utf8' });
  const modules = assets.filter((path) => path.endsWith('index.mjs'));
  const texts = await Promise.all(modules.map((path) => readFile(join(outdir, path), 'utf8')));
  const model = join(outdir, modules[texts.findIndex((text) => text.includes('asked to'))]!);
  expect(await errorOf(model, 'halt')).toBe('Error: their banner');
  expect(await errorOf(model)).toBeUndefined();
  expect(await errorOf('--import', onNode20, model)).toBe(sentence);
});
