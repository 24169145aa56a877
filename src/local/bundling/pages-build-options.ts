import type { BuildOptions } from 'esbuild';

/**
 * esbuild options for the pages: ES modules for current browsers. File names contain a content hash, so browsers can
 * cache the files indefinitely. Code that only some pages need is split into separate files.
 */
export const pagesBuildOptions = {
  entryPoints: ['web/main.tsx', 'web/style.css', 'web/icon.svg'],
  outbase: 'web',
  outdir: 'dist/web',
  entryNames: 'assets/[name]-[hash]',
  chunkNames: 'assets/[name]-[hash]',
  assetNames: 'assets/[name]-[hash]',
  loader: { '.svg': 'copy' },
  bundle: true,
  splitting: true,
  minify: true,
  metafile: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome120', 'firefox121', 'safari17.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'silent',
} as const satisfies BuildOptions;
