import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { SourceMaps } from '../../../src/core/model/source-maps.ts';
import type { StackFrame } from '../../../src/core/model/stack-frames.ts';

/** Bundles a model in /project in the same way as the CDK construct and `npm start`. */
async function bundled(outfile: string) {
  const files: Record<string, string> = {
    '/project/models/parcel/lambda.ts': `import { sizeOf } from './model.ts';\nimport { parse } from 'box';\nexport { fold } from '/milepost/src/core/model/source-maps.ts';\nexport const handler = () => [sizeOf, parse];`,
    '/project/models/parcel/model.ts': `export interface Box { size: number }\n\nexport const sizeOf = (box: Box) =>\n  box.missing.size;`,
    '/project/node_modules/box/index.js': `export const parse = (text) => text.boxed.size;`,
    '/milepost/src/core/model/source-maps.ts': `export const fold = (model) => model.folded.size;`,
  };
  const { outputFiles } = await build({
    ...{ entryPoints: ['/project/models/parcel/lambda.ts'], outfile, write: false, bundle: true },
    ...{ sourcemap: 'external', sourcesContent: false, minify: true, format: 'esm' },
    plugins: [
      {
        name: 'memory',
        setup(plugin) {
          plugin.onResolve({ filter: /./ }, ({ path, resolveDir, kind }) => {
            if (path === 'box') return { path: '/project/node_modules/box/index.js' };
            const isRelative = kind === 'import-statement' && path.startsWith('./');
            return { path: isRelative ? resolveDir + path.slice(1) : path };
          });
          plugin.onLoad({ filter: /./ }, ({ path }) => ({
            contents: files[path]!,
            loader: 'ts',
            resolveDir: path.slice(0, path.lastIndexOf('/')),
          }));
        },
      },
    ],
  });
  const [map, code] = outputFiles.map(({ text }) => text) as [string, string];
  /** Returns the position of a member in the single line of the bundle. */
  const at = (member: string): StackFrame => {
    const lines = code.split('\n');
    const row = lines.findIndex((line) => line.includes(member));
    return { name: '', file: outfile, line: row + 1, column: lines[row]!.indexOf(member) + 1 };
  };
  return { map, at };
}

describe('a position in a bundle', () => {
  it.each([
    ['in a subfolder of the project', '/project/cdk.out/bundling-temp-1/index.mjs', undefined],
    ['in the root folder of the project', '/project/index.mjs', undefined],
    [
      'in any other folder and its entry file is known',
      '/elsewhere/index.mjs',
      'models/parcel/lambda.ts',
    ],
  ])('maps to a source path relative to the project if the bundle is %s', async (_, out, entry) => {
    const { map, at } = await bundled(out);
    const maps = new SourceMaps(() => map, entry);
    expect(maps.placeOf(at('missing'))).toEqual({
      place: 'models/parcel/model.ts:4:7',
      isOwn: true,
    });
  });

  it("is not marked as the project's own code if it is in a package or in Milepost", async () => {
    const { map, at } = await bundled('/project/cdk.out/x/index.mjs');
    const maps = new SourceMaps(() => map);
    expect(maps.placeOf(at('boxed'))).toEqual({
      place: 'node_modules/box/index.js:1:37',
      isOwn: false,
    });
    expect(maps.placeOf(at('folded'))).toMatchObject({ isOwn: false });
  });

  it('is unknown without a source map or with an invalid source map', () => {
    const frame = { name: '', file: '/var/task/index.mjs', line: 1, column: 1 };
    const none = new SourceMaps(() => {
      throw new Error('ENOENT');
    });
    expect(none.placeOf(frame)).toBeUndefined();
    expect(new SourceMaps(() => 'not JSON').placeOf(frame)).toBeUndefined();
    expect(new SourceMaps(() => '{"version":3}').placeOf(frame)).toBeUndefined();
  });
});

it('a source map is loaded only once and only when it is needed', async () => {
  const { map, at } = await bundled('/project/index.mjs');
  const read: string[] = [];
  const maps = new SourceMaps((path) => {
    read.push(path);
    return map;
  });
  expect(read).toEqual([]);
  maps.placeOf(at('missing'));
  maps.placeOf(at('boxed'));
  expect(read).toEqual(['/project/index.mjs.map']);
});
