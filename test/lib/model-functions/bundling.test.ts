import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { afterEach, expect, it, vi } from 'vitest';
import { ProcessTracker } from '../../../lib/index.ts';
import { bundles, entry, newFolder } from '../tracker.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('the bundle of a model is one ES module with all dependencies', async () => {
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

it("the bundle of a model has a source map only with sourceMaps, which also adds the path of the entry file to the function's variables", async () => {
  const outdir = newFolder('mapped');
  const app = new App({ outdir });
  const stack = new Stack(app, 'Test');
  const tracker = new ProcessTracker(stack, 'Tracker', { bundles });
  tracker.addModel('plain', { entry });
  tracker.addModel('orders', { entry, sourceMaps: true });
  app.synth();

  const files = readdirSync(outdir, { recursive: true, encoding: 'utf8' });
  const [map, ...others] = files.filter((name) => name.endsWith('index.mjs.map'));
  expect(others).toEqual([]);
  const { sources, sourcesContent } = JSON.parse(await readFile(join(outdir, map!), 'utf8'));
  expect(sources).toContainEqual(expect.stringMatching(/test\/lib\/fixture-model\.ts$/));
  expect(sourcesContent).toBeUndefined();
  const code = await readFile(join(outdir, map!.replace(/\.map$/, '')), 'utf8');
  expect(code).not.toContain('sourceMappingURL');
  expect(variables(stack, 'orders')).toMatchObject({ MILEPOST_ENTRY: 'test/lib/fixture-model.ts' });
  expect(variables(stack, 'plain')).not.toHaveProperty('MILEPOST_ENTRY');
});

it('synthesis warns about time zone data that is more than a year old, but only for models with a calendar', () => {
  const withCalendar = join(import.meta.dirname, '..', 'fixture-model-with-calendar.ts');
  const warningsIn = (year: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(year, 0) });
    const stack = new Stack(new App({ outdir: newFolder(`with-calendar-${year}`) }), 'Test');
    const tracker = new ProcessTracker(stack, 'Tracker', { bundles });
    tracker.addModel('orders', { entry });
    tracker.addModel('claims', { entry: withCalendar });
    const warnings = Annotations.fromStack(stack).findWarning('*', Match.anyValue());
    return warnings.map(({ id, entry: { data } }) => `${id}: ${data as string}`);
  };
  expect(warningsIn(2027)).toEqual([]);
  expect(warningsIn(2099)).toEqual([
    expect.stringMatching(
      /^\/Test\/Tracker\/Models\/claims\/Function: the calendars use version \d{4}\w of the time zone data, released on \S+; update milepost/,
    ),
  ]);
}, 60_000);

function variables(stack: Stack, model: string): unknown {
  const functions = Template.fromStack(stack).findResources('AWS::Lambda::Function', {
    Properties: { Description: `Milepost: the model ${model}` },
  });
  return Object.values(functions)[0]?.['Properties'].Environment.Variables;
}
