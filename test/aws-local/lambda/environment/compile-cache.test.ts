import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { bundle } from '../bundles.ts';

const runtime = join(
  import.meta.dirname,
  '../../../../src/aws-local/lambda/environment/environment-runtime.ts',
);

it('an environment saves its compiled code before its first invocation', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'milepost-cache-'));
  onTestFinished(() => rm(cache, { recursive: true, force: true }));
  const codePath = await bundle('export const handler = () => 1;');
  const data = { codePath, handler: 'index.handler', context: {} };
  const child = fork(runtime, [JSON.stringify(data)], {
    env: { NODE_COMPILE_CACHE: cache },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  });
  await once(child.stdio[4]!, 'data');
  const files = async () => {
    const entries = await readdir(cache, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile());
  };
  await expect.poll(files).not.toHaveLength(0);
  child.kill('SIGKILL');
});
