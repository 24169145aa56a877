import type { BuildOptions } from 'esbuild';
import { lambdaNodeVersion, nodeVersionGuard } from '../../lambda-node.ts';

/**
 * esbuild options for Milepost's own Lambda functions. The bundles are self-contained ES modules, so they run with the
 * tested versions of dependencies, and a cold start loads only the code that is used.
 */
export const lambdaBuildOptions = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  minify: true,
  platform: 'node',
  target: `node${lambdaNodeVersion}`,
  banner: { js: nodeVersionGuard },
  format: 'esm',
  // Prefer the ES modules of packages, which can be tree-shaken, over their CommonJS modules.
  mainFields: ['module', 'main'],
  // Optional dependencies that are never used: hono-openapi loads zod for zod schemas, but Milepost uses valibot. The
  // sketches library loads protobufjs to serialize sketches, which Milepost does not need.
  external: ['zod', 'zod/*', 'protobufjs/*'],
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions;
