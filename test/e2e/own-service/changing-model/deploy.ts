import { registerHooks } from 'node:module';

/*
 * Loaded before a service (`node --import`): it deploys the cloud assembly in the folder ASSEMBLY, and
 * synthesises none.
 */
const synthesise = 'src/local/template/synthesize.ts';
const source = 'export const synthesise = () => Promise.resolve(process.env.ASSEMBLY);';

registerHooks({
  load: (url, context, next) =>
    url.endsWith(synthesise)
      ? { format: 'module', source, shortCircuit: true }
      : next(url, context),
});
