import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const sources = join(import.meta.dirname, '..', '..', 'src', 'local', 'endpoints');

/**
 * Bundles the processes of the embedded endpoints with kinesalite and dynalite in them. Installed as
 * packages, kinesalite would bring a leveldown that has no build for some platforms, which is then
 * compiled or missing: only the package at the top may override that. LevelDB itself stays outside, as
 * packages that have builds for all platforms in them.
 */
export async function bundleEndpoints(folder: string): Promise<void> {
  await build({
    entryPoints: ['dynalite', 'kinesalite'].map((name) => join(sources, `${name}-process.ts`)),
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node24',
    // What is bundled assigns to variables that it does not declare, which no strict code may: so it is
    // CommonJS, and what our own settings say of strictness is not for it.
    format: 'cjs',
    tsconfigRaw: '{}',
    outExtension: { '.js': '.cjs' },
    external: ['classic-level', 'leveldown'],
    plugins: [wholeNames],
    minify: true,
    // With errors that say where they are from.
    keepNames: true,
    legalComments: 'inline',
    logLevel: 'warning',
  });
}

/** Both ask for modules by names that they put together; esbuild knows those that end as the files do. */
const wholeNames: Plugin = {
  name: 'whole names',
  setup(bundling) {
    bundling.onLoad({ filter: /\/(?:dynalite|kinesalite)\/index\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replaceAll(/(require\('[^']+' \+ \w+)\)/g, "$1 + '.js')") };
    });
  },
};
