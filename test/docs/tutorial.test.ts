import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fence, fencesOf, placeOf, readPages } from '../support/docs/markdown.ts';
import { commandsOf, Reader } from '../support/service/reader.ts';

const fences = (await readPages())
  .filter(({ path }) => path.startsWith('docs/tutorial/'))
  .flatMap(fencesOf);

/** The steps of a reader in order, each of which writes a file or runs a command. */
const steps = fences.flatMap((fence): (readonly [string, string, Fence])[] => {
  if (fence.file !== undefined) return [[placeOf(fence), `write ${fence.file}`, fence]];
  if (fence.language !== 'sh') return [];
  return commandsOf(fence.code).map((command) => [placeOf(fence), command, fence] as const);
});

let reader: Reader;

beforeAll(async () => {
  reader = await Reader.open();
});
afterAll(() => reader.close());

/** Performs a step. Returns its output, or a description of the step if it has no output. */
async function take(step: string, { file, code }: Fence): Promise<string> {
  if (file !== undefined) {
    await mkdir(dirname(join(reader.copy, file)), { recursive: true });
    await writeFile(join(reader.copy, file), code);
  } else if (step === 'npm start') {
    await reader.stop();
    // The service keeps its state between runs, as it does for a reader.
    await reader.start({ MILEPOST_DATA: '.milepost' });
  }
  // The copy contains the packages that `npm ci` installs.
  else if (step !== 'npm ci') return reader.output(step);
  return step;
}

describe('the tutorial', () => {
  it('contains steps', () => {
    expect(steps.map(([, step]) => step).filter((step) => step === 'npm start')).toHaveLength(3);
    expect(steps.length).toBeGreaterThan(20);
  });

  it.each(steps)(
    'contains a step that succeeds: %s: %s',
    async (_, step, fence) => {
      expect(await take(step, fence)).not.toBe('');
    },
    300_000,
  );

  it('ends with the statuses that its text describes', async () => {
    const shows = async (command: string, text: RegExp) =>
      expect(await reader.output(command, text)).toMatch(text);
    await shows('npx milepost status session S-1', /Status +Ended/);
    await shows('npx milepost history session S-1', /rejected/);
    await shows('npx milepost status parcel P-1', /Status +On its way/);
    await shows('npx milepost history parcel P-2', /timer\.fired/);
    await shows('npx milepost list --late', /P-2/);
  });
});
