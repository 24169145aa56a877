import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeploymentOutcome } from '../../../src/local/user-models/reload-models.ts';
import { watchModels } from '../../../src/local/user-models/watch-models.ts';
import type { BundledModel } from '../../../src/local/user-models/with-models.ts';
import { childProcessesOf, killProcess } from '../../support/child-processes.ts';

let root: string;
let models: string;
let watching: AsyncDisposable;
let lines: string[];
let taken: (BundledModel & { code: string })[];
/** The outcome of each deployment of a model's code. */
let outcome: DeploymentOutcome;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'milepost-watch-'));
  models = join(root, 'models');
  lines = [];
  taken = [];
  outcome = 'deployed';
  await write('parcel', "import { word } from '../word.ts';\nexport const handler = () => word;");
  await writeFile(join(models, 'word.ts'), "export const word = 'first';");
  watching = watchModels(models, {
    bundles: join(root, 'bundles'),
    async deploy(model) {
      const name = model.host === undefined ? 'index.mjs' : 'model.py';
      const code = await readFile(join(model.codePath, name), 'utf8');
      taken.push({ ...model, code });
      return outcome;
    },
    log: (line) => lines.push(line),
  });
});
afterEach(async () => {
  await watching[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

async function write(id: string, text: string, name = 'lambda.ts'): Promise<void> {
  await mkdir(join(models, id), { recursive: true });
  await writeFile(join(models, id, name), text);
}

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
const last = () => taken.at(-1);
const takenAs = (id: string) => taken.filter((model) => model.id === id);

describe('watchModels', () => {
  it('deploys a model at the beginning and again when an imported file is saved', async () => {
    await eventually(() => expect(last()?.code).toContain('first'));
    await writeFile(join(models, 'word.ts'), "export const word = 'second';");
    await eventually(() => expect(last()?.code).toContain('second'));
    const [before, after] = [taken[0]!, last()!];
    expect(after.codePath).not.toBe(before.codePath);
    // The previous bundle remains, because environments can still start with it.
    expect(await readFile(join(before.codePath, 'index.mjs'), 'utf8')).toContain('first');
  });

  it('warns about a calendar whose time zone data is more than a year old', async () => {
    await write('claim', "export const handler = () => 'tzdata 2020a 2020-04-23';");
    await eventually(() =>
      expect(lines).toEqual([
        'the model claim: the calendars use version 2020a of the time zone data, released on 2020-04-23; update milepost to get the current data',
      ]),
    );
  });

  it('reports the location of a compile error, and deploys the model when the error is fixed', async () => {
    await eventually(() => expect(taken).toHaveLength(1));
    await write('parcel', 'export const handler = ;');
    await eventually(() =>
      expect(lines).toEqual([
        expect.stringMatching(
          /^the model parcel does not compile: .*lambda\.ts:1:24: Unexpected ";"; the previous code stays in use$/,
        ),
      ]),
    );
    await write('parcel', "export const handler = () => 'mended';");
    await eventually(() => expect(last()?.code).toContain('mended'));
  });

  it('reports that a new model is not available if it does not compile', async () => {
    await write('letter', 'export const handler = ;');
    await eventually(() =>
      expect(lines).toEqual([
        expect.stringMatching(
          /^the model letter does not compile: .*; the model is not available$/,
        ),
      ]),
    );
  });

  it('reports that a model is valid again if its code is unchanged', async () => {
    await eventually(() => expect(taken).toHaveLength(1));
    const saved = await readFile(join(models, 'parcel', 'lambda.ts'), 'utf8');
    await write('parcel', 'export const handler = ;');
    await eventually(() => expect(lines).toHaveLength(1));
    outcome = 'unchanged';
    await write('parcel', saved);
    await eventually(() =>
      expect(lines[1]).toBe('The model parcel is valid again, and its code is unchanged'),
    );
  });

  it('does not report a model as available that was never deployed', async () => {
    await eventually(() => expect(taken).toHaveLength(1));
    outcome = 'refused';
    await write('letter', "export const handler = () => 'invalid';");
    await eventually(() => expect(takenAs('letter')).toHaveLength(1));
    await write('letter', 'export const handler = ;');
    await eventually(() => expect(lines).toEqual([expect.stringContaining('does not compile')]));
    expect(lines[0]).toMatch(/; the model is not available$/);
    await rm(join(models, 'letter'), { recursive: true });
    await eventually(() => expect(lines[1]).toBe(`The model letter is no longer in ${models}`));
  });

  it('reports an invalid folder name once and deploys the model when its folder has a valid name', async () => {
    await write('My_Letter', "export const handler = () => 'letter';");
    await eventually(() =>
      expect(lines).toEqual([
        expect.stringMatching(
          /^new models cannot be loaded: .*; got "My_Letter"; rename the folder$/,
        ),
      ]),
    );
    await rename(join(models, 'My_Letter'), join(models, 'letter'));
    await eventually(() => expect(taken.map(({ id }) => id)).toContain('letter'));
    expect(lines).toHaveLength(1);
  });

  it('deploys a new model and keeps a removed model', async () => {
    await write('letter', "export const handler = () => 'letter';");
    await eventually(() => expect(taken.map(({ id }) => id)).toContain('letter'));
    await rename(join(models, 'letter'), join(root, 'gone'));
    await eventually(() =>
      expect(lines).toEqual([
        expect.stringMatching(/letter is no longer in .* until the next start/),
      ]),
    );
  });

  it('deploys a new Python model and redeploys it when a file is saved', async () => {
    const lastLoan = () => takenAs('loan').at(-1);
    await write('loan', 'handler = 1', 'model.py');
    await eventually(() => expect(lastLoan()?.code).toBe('handler = 1'));
    await write('loan', 'handler = 22', 'model.py');
    await eventually(() => expect(lastLoan()?.code).toBe('handler = 22'));
    const { codePath } = lastLoan()!;
    await write('loan', 'word = 1', 'word.py');
    await eventually(() => expect(lastLoan()!.codePath).not.toBe(codePath));
    // The previous copy remains, because environments can still start with it.
    expect(await readFile(join(codePath, 'model.py'), 'utf8')).toBe('handler = 22');
  });

  it('keeps a renamed Python model under its old name and deploys it under its new name', async () => {
    await write('loan', 'handler = 1', 'model.py');
    await eventually(() => expect(takenAs('loan')).toHaveLength(1));
    await rename(join(models, 'loan'), join(models, 'library-loan'));
    await eventually(() => expect(takenAs('library-loan')).toHaveLength(1));
    expect(lines).toEqual([expect.stringMatching(/loan is no longer in .* until the next start/)]);
    await rename(join(models, 'library-loan'), join(models, 'loan'));
    await eventually(() => expect(takenAs('loan')).toHaveLength(2));
  });

  it('deploys a saved Python model after the bundle of the model host could not be written', async () => {
    const obstacle = join(root, 'bundles', 'model-host');
    await mkdir(dirname(obstacle), { recursive: true });
    await writeFile(obstacle, '');
    await write('loan', 'handler = 1', 'model.py');
    await eventually(() => expect(lines[0]).toMatch(/^the model loan: cannot write /));
    await rm(obstacle);
    await write('loan', 'handler = 22', 'model.py');
    await eventually(() => expect(takenAs('loan')).toHaveLength(1));
  });

  it('keeps watching after the process of esbuild was killed', async () => {
    await eventually(() => expect(taken).toHaveLength(1));
    const children = await childProcessesOf(process.pid);
    for (const { pid, command } of children) if (command.includes('esbuild')) killProcess(pid);
    await eventually(() =>
      expect(lines).toEqual([
        'esbuild, which compiles the models, ended unexpectedly and was restarted',
      ]),
    );
    await writeFile(join(models, 'word.ts'), "export const word = 'second';");
    await write('letter', "export const handler = () => 'letter';");
    await eventually(() => expect(takenAs('parcel').at(-1)?.code).toContain('second'));
    await eventually(() => expect(takenAs('letter')).toHaveLength(1));
  });
});
