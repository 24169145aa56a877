import { isBuiltin } from 'node:module';
import { build } from 'esbuild';

/**
 * Returns the packages that built code imports, statically or dynamically, except Node.js modules.
 *
 * @param entries the entry points of the code.
 */
export async function importedPackages(entries: readonly string[]): Promise<Set<string>> {
  const { metafile } = await build({
    entryPoints: [...entries],
    outdir: 'unused',
    write: false,
    bundle: true,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const names = imports
    .filter(({ path, external }) => external && !isBuiltin(path) && path !== '<runtime>')
    .map(({ path }) => /^(?:@[^/]+\/)?[^/]+/.exec(path)![0]);
  return new Set(names);
}
