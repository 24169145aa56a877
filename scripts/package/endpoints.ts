import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const sources = join(import.meta.dirname, '..', '..', 'src', 'aws-local');

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

/**
 * How the processes of the embedded endpoints are bundled, with kinesalite and dynalite in them.
 * Installed as a package, kinesalite would bring a leveldown that has no build for some platforms, which
 * is then compiled or missing: only a project itself may override that, and no package in it. LevelDB
 * stays outside, as packages with builds for all platforms in them.
 */
export const endpointOptions = {
  entryPoints: ['dynamodb/dynalite', 'kinesis/kinesalite'].map((name) =>
    join(sources, `${name}-process.ts`),
  ),
  outbase: sources,
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
  // Errors say where they are from.
  keepNames: true,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/** Bundles the processes of the embedded endpoints, each into the folder of its service below this one. */
export async function bundleEndpoints(folder: string): Promise<void> {
  await build({ ...endpointOptions, outdir: folder });
}
