import { registerHooks } from 'node:module';

/*
 * Preloaded by a service (`node --import`): deploys the cloud assembly in the folder ASSEMBLY, and
 * synthesizes none.
 */
const synthesize = 'src/local/template/synthesize.ts';
const source = 'export const synthesize = () => Promise.resolve(process.env.ASSEMBLY);';

registerHooks({
  load: (url, context, next) =>
    url.endsWith(synthesize)
      ? { format: 'module', source, shortCircuit: true }
      : next(url, context),
});
