import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Environment, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { ProcessTracker, type ProcessTrackerProps } from '../../lib/index.ts';

/*
 * Trackers that need no build: their bundles are placeholders, and models are not bundled. The validator, which takes
 * most of the time of a synthesis, is turned off. cdk-nag still runs if it is added.
 */
process.env['CDK_VALIDATION'] = 'false';

const folder = mkdtempSync(join(tmpdir(), 'milepost-lib-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Creates a folder that is removed when the tests end. */
export function newFolder(name: string): string {
  const made = join(folder, name);
  mkdirSync(made, { recursive: true });
  return made;
}

/** A folder with a placeholder for the bundle of each of Milepost's functions. */
export const bundles = newFolder('bundles');
const names = [
  'dispatcher',
  'publisher',
  'api',
  'track',
  'registrar',
  'clock',
  'wakeup',
  'canary',
  'canary-model',
  'archiver',
  'counter',
  'model-host',
  'key-rotation',
];
for (const name of names) {
  const bundle = newFolder(join('bundles', name));
  writeFileSync(join(bundle, 'index.mjs'), `export const handler = '${name}';`);
}

/** The file with a model's Lambda function. */
export const entry = join(import.meta.dirname, 'fixture-model.ts');

export interface Tracked {
  readonly app: App;
  readonly stack: Stack;
  readonly tracker: ProcessTracker;
}

/** The props of a tracker, or a function that creates them with resources of the stack. */
export type Props = ProcessTrackerProps | ((stack: Stack) => ProcessTrackerProps);

/** @param env the account and region of the stack. @default not known until deployment */
export function newTracker(props: Props = {}, env?: Environment): Tracked {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] }, outdir: join(folder, 'out') });
  const stack = new Stack(app, 'Test', { env });
  const given = typeof props === 'function' ? props(stack) : props;
  return { app, stack, tracker: new ProcessTracker(stack, 'Tracker', { bundles, ...given }) };
}

/** Returns the template of a tracker with the given models. */
export function templateOf(props: Props, ...models: string[]): Template {
  const { stack, tracker } = newTracker(props);
  for (const id of models) tracker.addModel(id, { entry });
  return Template.fromStack(stack);
}
