import { describe, expect, it } from 'vitest';
import create from '../../create-milepost/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { publishedManifest } from '../../scripts/package/manifest.ts';

describe('publishedManifest', () => {
  const published = publishedManifest(manifest, new Set(['valibot', 'xstate']));

  it('refers to the build output and its types', () => {
    expect(published.exports).toMatchObject({
      './testing': {
        types: './dist/js/src/testing/index.d.ts',
        default: './dist/js/src/testing/index.js',
      },
    });
    expect(published.bin).toEqual({ milepost: 'dist/js/bin/milepost.js' });
  });

  it('depends only on packages that the build output imports and on packages that provide types', () => {
    expect(Object.keys(published.dependencies)).toEqual(['@standard-schema/spec', 'valibot']);
    for (const key of ['devDependencies', 'overrides', 'private', 'scripts'])
      expect(published).not.toHaveProperty(key);
  });

  it('rejects an import that is not a dependency', () => {
    expect(() => publishedManifest(manifest, new Set(['left-pad']))).toThrow(
      'package.json has no dependency on left-pad',
    );
  });
});

describe('create-milepost', () => {
  it('creates projects that depend on the version of Milepost with the same number', () => {
    const { version, dependencies } = create;
    expect({ version, dependencies }).toEqual({
      version: manifest.version,
      dependencies: { milepost: `^${manifest.version}` },
    });
  });
});
