import { execFile } from 'node:child_process';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import type { FunctionDefinition } from '../../../../src/aws-local/lambda/function-definition.ts';
import { bundle, call, define, hostOf } from '../bundles.ts';

const run = promisify(execFile);

const inNode = () => define('f', 'export const handler = () => "ready";');

const withRuntimeApi = async () => {
  const source = `
    const base = 'http://' + process.env.AWS_LAMBDA_RUNTIME_API + '/2018-06-01/runtime/invocation/';
    for (;;) {
      const next = await fetch(base + 'next');
      const id = next.headers.get('lambda-runtime-aws-request-id');
      await fetch(base + id + '/response', { method: 'POST', body: '"ready"' });
    }`;
  const codePath = await bundle(source, 'runtime.mjs');
  const bootstrap = [process.execPath, `${codePath}/runtime.mjs`];
  return define('f', '', { runtime: 'provided.al2023', codePath, bootstrap });
};

const limitOpenFiles = (limit: number) =>
  run('prlimit', ['--pid', String(process.pid), `--nofile=${limit}:`]);

/** Opens files until the limit of this process is reached. Returns a function that closes them. */
function openAllFiles(): () => void {
  const opened: number[] = [];
  const close = () => {
    for (const file of opened.splice(0)) closeSync(file);
  };
  onTestFinished(close);
  try {
    for (;;) opened.push(openSync('/dev/null', 'r'));
  } catch {
    return close;
  }
}

// Only Linux has prlimit, which changes the limits of a running process.
it.skipIf(process.platform !== 'linux').each<[string, () => Promise<FunctionDefinition>]>([
  ['Node.js', inNode],
  ['a custom runtime', withRuntimeApi],
])(
  'a function with %s is unavailable while the host has too many open files, and then recovers',
  async (_, definition) => {
    const host = hostOf([await definition()]);
    await limitOpenFiles(readdirSync('/proc/self/fd').length + 50);
    const close = openAllFiles();

    await expect(call(host, 'f')).rejects.toMatchObject({
      code: 'ServiceException',
      message: expect.stringMatching(/^the function f could not be started: .*EMFILE/),
    });

    close();
    expect((await call(host, 'f')).result).toBe('ready');
  },
);
