import { describe, expect, it } from 'vitest';
import create from '../../create-milepost/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { publishedManifest } from '../../scripts/package/manifest.ts';

describe('publishedManifest', () => {
  const published = publishedManifest(manifest, new Set(['valibot', 'xstate']));

  it('names what is built, with its types', () => {
    expect(published.exports).toMatchObject({
      './testing': {
        types: './dist/js/src/testing/index.d.ts',
        default: './dist/js/src/testing/index.js',
      },
    });
    expect(published.bin).toEqual({ milepost: 'dist/js/bin/milepost.js' });
  });

  it('depends on what is imported, and on nothing that the repository alone needs', () => {
    expect(Object.keys(published.dependencies)).toEqual(['@standard-schema/spec', 'valibot']);
    for (const key of ['devDependencies', 'overrides', 'private', 'scripts'])
      expect(published).not.toHaveProperty(key);
  });

  it('refuses an import that nobody would install', () => {
    expect(() => publishedManifest(manifest, new Set(['left-pad']))).toThrow(
      'package.json has no dependency on left-pad',
    );
  });
});

describe('create-milepost', () => {
  it('makes projects with the version of Milepost that it comes with', () => {
    const { version, dependencies } = create;
    expect({ version, dependencies }).toEqual({
      version: manifest.version,
      dependencies: { milepost: `^${manifest.version}` },
    });
  });
});
