import type { BuildOptions } from 'esbuild';
import { pagesBuildOptions } from './pages-build-options.ts';

const { bundle, minify, format, platform, legalComments, logLevel } = pagesBuildOptions;

/** esbuild options for the module that defines `<milepost-status>`: one file without imports, for other sites. */
export const statusElementBuildOptions = {
  entryPoints: ['web/milepost-status/milepost-status.ts'],
  outfile: 'dist/lambdas/track/milepost-status.js',
  // Do not escape characters: the response declares the encoding, and escape sequences would triple the size of Arabic
  // texts.
  charset: 'utf8',
  // Customers also use phones that no longer receive updates.
  target: ['chrome100', 'firefox101', 'safari15.4'],
  ...{ bundle, minify, format, platform, legalComments, logLevel },
} as const satisfies BuildOptions;
