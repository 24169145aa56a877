import { join } from 'node:path';
import { build } from 'esbuild';
import { lambdaBuildOptions } from '../../src/local/bundling/lambda-build-options.ts';

const root = join(import.meta.dirname, '..', '..');

/** The bundles of the dispatcher and the model `activation`, with source maps. */
export interface Bundles {
  readonly dispatcher: string;
  readonly model: string;
}

/**
 * Bundles both Lambda functions as `scripts/build.ts` does, with source maps that let a profile attribute code to its
 * source, and with JavaScript function names for flame graphs.
 */
export async function bundle(folder: string): Promise<Bundles> {
  await build({
    entryPoints: [
      { in: join(root, 'lambdas', 'dispatcher.ts'), out: 'dispatcher' },
      { in: join(root, 'models', 'activation', 'lambda.ts'), out: 'model' },
    ],
    outdir: folder,
    sourcemap: 'external',
    ...lambdaBuildOptions,
    minify: false,
    minifySyntax: true,
    minifyWhitespace: true,
  });
  return { dispatcher: join(folder, 'dispatcher.mjs'), model: join(folder, 'model.mjs') };
}
