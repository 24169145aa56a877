import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const sources = join(import.meta.dirname, '..', '..', 'src', 'aws-local');

/**
 * Completes module names that kinesalite and dynalite assemble at run time, because esbuild resolves only full file
 * names.
 */
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
 * esbuild options for the processes of the embedded endpoints, including kinesalite and dynalite. As an installed
 * dependency, kinesalite would require a version of leveldown that has no builds for some platforms, and only a root
 * project can override the version. LevelDB is not bundled: its packages contain builds for all platforms.
 */
export const endpointOptions = {
  entryPoints: ['dynamodb/dynalite', 'kinesis/kinesalite'].map((name) =>
    join(sources, `${name}-process.ts`),
  ),
  outbase: sources,
  bundle: true,
  platform: 'node',
  target: 'node24',
  // The bundled packages assign to undeclared variables, which strict mode forbids. The output is therefore CommonJS,
  // and the project's strictness settings do not apply.
  format: 'cjs',
  tsconfigRaw: '{}',
  outExtension: { '.js': '.cjs' },
  external: ['classic-level', 'leveldown'],
  plugins: [wholeNames],
  minify: true,
  // Keep function names in stack traces.
  keepNames: true,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/** Bundles the processes of the embedded endpoints, each into the folder of its service. */
export async function bundleEndpoints(folder: string): Promise<void> {
  await build({ ...endpointOptions, outdir: folder });
}
