import type { BuildOptions } from 'esbuild';
import { lambdaNodeVersion, nodeVersionGuard } from '../../lambda-node.ts';

/**
 * How our own Lambdas are bundled: into ES modules with everything in them, so that the version that
 * was tested is the one that runs, and only what is used is loaded at a cold start.
 */
export const lambdaBuildOptions = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  minify: true,
  platform: 'node',
  target: `node${lambdaNodeVersion}`,
  banner: { js: nodeVersionGuard },
  format: 'esm',
  // The packages' ES modules, which unlike their CommonJS can be tree-shaken.
  mainFields: ['module', 'main'],
  // hono-openapi would load it for schemas of zod, and ours are of valibot; a sketch would for bytes.
  external: ['zod', 'zod/*', 'protobufjs/*'],
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions;
