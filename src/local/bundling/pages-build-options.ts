import type { BuildOptions } from 'esbuild';

/**
 * How the pages are bundled: into ES modules for today's browsers, named by what is in them, so that
 * a browser may keep them for ever. What only some pages need is a file of its own.
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
