import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const script = join('scripts', 'prepare.js');
const root = join(import.meta.dirname, '..', '..', '..');

it('the `prepare` script, which `npm ci` runs, succeeds without the sources, as in the first layer of a container image', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-prepare-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'scripts'));
  await copyFile(join(root, script), join(folder, script));
  const ended = await promisify(execFile)(process.execPath, [script], { cwd: folder });
  expect(ended).toMatchObject({ stdout: '', stderr: '' });
});
