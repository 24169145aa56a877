import type { BuildOptions } from 'esbuild';
import { lambdaNodeVersion, nodeVersionGuard } from '../../lambda-node.ts';

/**
 * esbuild options for Milepost's own Lambdas: self-contained ES modules, so that the tested dependency versions are the
 * ones that run, and a cold start loads only the code in use.
 */
export const lambdaBuildOptions = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  minify: true,
  platform: 'node',
  target: `node${lambdaNodeVersion}`,
  banner: { js: nodeVersionGuard },
  format: 'esm',
  // Prefer the packages' ES modules, which can be tree-shaken, over their CommonJS.
  mainFields: ['module', 'main'],
  // Optional dependencies that are never used: hono-openapi loads zod for zod schemas, but Milepost uses valibot; the
  // sketches library loads protobufjs to serialize sketches.
  external: ['zod', 'zod/*', 'protobufjs/*'],
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions;
