import { registerHooks } from 'node:module';

/*
 * A preload module (`node --import`) that makes the service deploy the cloud assembly in the folder ASSEMBLY instead of
 * synthesizing one.
 */
const synthesize = 'src/local/template/synthesize.ts';
const source = 'export const synthesize = () => Promise.resolve(process.env.ASSEMBLY);';

registerHooks({
  load: (url, context, next) =>
    url.endsWith(synthesize)
      ? { format: 'module', source, shortCircuit: true }
      : next(url, context),
});
