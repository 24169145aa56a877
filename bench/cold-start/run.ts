import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readDefinition } from '../support/definition.ts';
import { main, type Section } from '../support/section.ts';
import { median } from '../support/statistics.ts';
import { type BundleSize, bundleSizes } from './bundle-sizes.ts';

const runFile = promisify(execFile);

/** The options of the cold start measurement. `times` is the number of loads per bundle, each in a new process. */
export interface ColdStartOptions {
  readonly times?: number;
}

/** Measures the size and the load time of each Lambda function's bundle. */
export async function run({ times = 20 }: ColdStartOptions = {}): Promise<Section> {
  const { service } = await readDefinition();
  const sizes = await bundleSizes(service);
  const figures: (BundleSize & { wall: number; cpu: number })[] = [];
  // A bundle fails to load if one of its settings is missing, so each process receives the settings of all functions.
  const env = Object.assign(
    { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
    ...service.functions.map(({ environment }) => environment),
  ) as Record<string, string>;
  for (const each of sizes) figures.push({ ...each, ...(await importTime(each.file, env, times)) });
  return {
    title: 'Cold start',
    tables: [
      {
        title: 'Lambda',
        rows: Object.fromEntries(
          figures.map(({ name, raw, gzip, wall, cpu }) => [
            name,
            {
              KB: Math.round(raw / 1024),
              'KB gzip': Math.round(gzip / 1024),
              'import, ms': wall,
              'CPU time of the import, ms': cpu,
            },
          ]),
        ),
      },
    ],
    figures,
    notes: [
      `import: median of ${times} new processes with a warm disk cache and a whole processor core`,
    ],
  };
}

async function importTime(file: string, env: Record<string, string>, times: number) {
  const script = join(import.meta.dirname, 'import-time.ts');
  const all: { wall: number; cpu: number }[] = [];
  for (let time = 0; time < times; time++) {
    const { stdout } = await runFile(process.execPath, [script, file], { env });
    all.push(JSON.parse(stdout) as { wall: number; cpu: number });
  }
  return { wall: median(all.map(({ wall }) => wall)), cpu: median(all.map(({ cpu }) => cpu)) };
}

if (import.meta.main) await main(() => run());
