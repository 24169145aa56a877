import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { modelBuildOptions } from '../../../src/local/user-models/bundle-model.ts';

const repository = join(import.meta.dirname, '..', '..', '..');

/** Bundles a model with the given code. Returns the sources and the compressed size of the bundle in bytes. */
async function bundled(code: string) {
  const { entryPoints: _, ...options } = modelBuildOptions(join(repository, 'models/lambda.ts'));
  const contents = `import { defineCalendar, defineProcess, serve } from './index.ts'; ${code}`;
  const stdin = { contents, resolveDir: repository, loader: 'ts' } as const;
  const { metafile, outputFiles } = await build({ ...options, stdin, metafile: true });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return {
    sources: inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path),
    size: gzipSync(outputFiles.find(({ path }) => path.endsWith('.mjs'))!.contents).length,
  };
}

const process = (deadline: string) =>
  `export const handler = serve(defineProcess({ id: 'order', milestones: [{ id: 'paid', label: 'Paid'${deadline} }] }));`;

describe('the bundle of a model', () => {
  it('contains neither calendars nor time zones if the model has no calendar', async () => {
    const { sources } = await bundled(process(", expectedWithin: 'PT8H'"));
    expect(sources).toContain('src/core/process/define-process.ts');
    expect(sources).not.toContain('src/core/calendar/define-calendar.ts');
    expect(sources).not.toContain('src/core/calendar/zones/tzdata.ts');
  });

  it('grows by at most 16 KB (compressed) with a calendar', async () => {
    const without = await bundled(process(''));
    const calendar =
      "globalThis.office = defineCalendar({ timeZone: 'UTC', hours: { mon: ['09:00-17:00'] } });";
    const { sources, size } = await bundled(calendar + process(''));
    expect(sources).toContain('src/core/calendar/zones/tzdata.ts');
    expect(size - without.size).toBeLessThan(16 * 1024);
  });
});
