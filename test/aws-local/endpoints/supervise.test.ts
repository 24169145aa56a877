import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { exitReason, supervise } from '../../../src/aws-local/endpoints/supervise.ts';

it.each([
  ['its standard error', "console.error('no disk'); process.exitCode = 1", 'no disk'],
  ['the signal', "process.kill(process.pid, 'SIGKILL')", 'its process exited with SIGKILL'],
  ['the status', 'process.exitCode = 3', 'its process exited with status 3'],
])('the reason for the exit of an endpoint is %s', async (_, code, reason) => {
  const { exited } = supervise(spawn(process.execPath, ['--eval', code]));
  expect(exitReason(await exited)).toBe(reason);
});
