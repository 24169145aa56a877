import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { folderForFile } from '../support/after-file.ts';
import { instance } from './samples.ts';
import { StubService } from './stub-service.ts';

const bin = fileURLToPath(new URL('../../bin/milepost.js', import.meta.url));

let service: StubService;
beforeAll(async () => {
  service = await new StubService().start();
  service.data.instances = Array.from({ length: 3000 }, (_, i) =>
    instance({ transaction: `T${i}` }),
  );
});
afterAll(() => service.stop());
afterEach(() => {
  service.script = () => undefined;
});

/** Starts the CLI in a new process. */
function start(argv: readonly string[], options: SpawnOptions = {}) {
  const env = { ...process.env, MILEPOST_API: service.url, ...options.env };
  const child = spawn(process.execPath, argv, { ...options, env });
  const closed = new Promise((resolve) => child.once('close', resolve));
  return { child: child as ChildProcessWithoutNullStreams, closed };
}

async function milepost(argv: readonly string[], stdin = '', env = {}) {
  const { child, closed } = start([bin, ...argv], { env });
  child.stdin.end(stdin);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await closed, stdout, stderr };
}

describe('bin/milepost.js', () => {
  it('prints results to standard output and exits with 0', async () => {
    const { status, stdout, stderr } = await milepost(['list', '--all']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.split('\n')).toHaveLength(3002);
  });

  it('prints errors to standard error without a stack trace and exits with 1', async () => {
    const { status, stdout, stderr } = await milepost(['status', 'activation', 'none']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe('error: no instance activation/none (404)\n');
  });

  it('prints no warning of Node.js if NO_COLOR and FORCE_COLOR are set', async () => {
    const variables = { NO_COLOR: '1', FORCE_COLOR: '1' };
    const { stdout, stderr } = await milepost(['list', '--limit', '1'], '', variables);
    expect(stdout).toMatch(/^model /);
    expect(stderr).toBe('There are more rows; use --all to show all.\n');
  });

  it('exits with 2 on a usage error', async () => {
    const { status, stdout, stderr } = await milepost(['lst']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain("unknown command 'lst'\n(Did you mean list?)");
  });

  it('reads events from standard input', async () => {
    const event = '{"id":"1","type":"t","modelid":"m","transactionid":"x"}';
    const { status, stdout } = await milepost(['put', '--file', '-'], `${event}\n`);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'accepted 1, refused 0\n' });
  });

  it('exits without waiting for further events when the service becomes unreachable', async () => {
    service.script = () => 'hang up';
    const { child, closed } = start([bin, 'put', '--file', '-']);
    child.stdin.write('{"id":"1","type":"t","modelid":"m","transactionid":"x"}\n');
    expect(await text(child.stderr)).toContain('error: stopped at line 1: cannot reach');
    expect(await closed).toBe(1);
  });

  it.skipIf(process.platform === 'win32')('rejects a folder as standard input', async () => {
    const folder = await open(await folderForFile());
    const { child, closed } = start([bin, 'put', '--file', '-'], {
      stdio: [folder.fd, 'pipe', 'pipe'],
    });
    expect(await text(child.stderr)).toContain('error: cannot read -: it is a folder\n');
    expect(await closed).toBe(2);
    await folder.close();
  });

  it('prints the version of its package', async () => {
    const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
    expect((await milepost(['--version'])).stdout).toBe(`${manifest.version}\n`);
  });

  it('gets AWS credentials once, and not for every request', async () => {
    const folder = await folderForFile();
    const log = join(folder, 'log');
    const credentials = '{"Version":1,"AccessKeyId":"AKID","SecretAccessKey":"secret"}';
    const script = `#!/bin/sh\necho run >> '${log}'\necho '${credentials}'\n`;
    await writeFile(join(folder, 'get-credentials'), script, { mode: 0o755 });
    const config = join(folder, 'config');
    await writeFile(config, `[default]\ncredential_process = ${folder}/get-credentials\n`);
    service.script = ({ url }) => ({
      status: 200,
      body: JSON.stringify({ instances: [], ...(!url.includes('cursor=') && { cursor: 'c' }) }),
    });
    const child = spawn(process.execPath, [bin, 'list', '--all'], {
      env: {
        PATH: process.env.PATH,
        AWS_CONFIG_FILE: config,
        AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'),
        MILEPOST_API: `${service.url}/_aws/execute-api/abc/$default`,
      },
    });
    const closed = new Promise((resolve) => child.once('close', resolve));
    expect(await text(child.stderr)).not.toContain('error');
    expect(await closed).toBe(0);
    expect(service.received.filter(({ url }) => url.startsWith('/_aws/'))).toHaveLength(2);
    expect(await readFile(log, 'utf8')).toBe('run\n');
  });

  it('exits silently when the reader of standard output closes the pipe', async () => {
    const { child, closed } = start([bin, 'list', '--all', '--json']);
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await text(child.stderr)).toBe('');
    expect(await closed).toBe(0);
  });

  it('exits with the status of the command even if the reader of standard error closes the pipe', async () => {
    const { child, closed } = start([bin, 'status', 'activation', 'none']);
    child.stderr.destroy();
    expect(await closed).toBe(1);
  });

  it('exits with the status of the local service even if the reader of standard error closes the pipe', async () => {
    const { child, closed } = start([bin, 'local'], { env: { MILEPOST_PORT: 'none' } });
    child.stderr.destroy();
    // The start fails because of the port.
    expect(await closed).toBe(1);
  });

  // Only Linux has `/dev/full`.
  it.runIf(existsSync('/dev/full'))(
    'prints a one-line error and exits with 1 if standard output is full',
    async () => {
      const full = await open('/dev/full', 'w');
      const { child, closed } = start([bin, 'list', '--all'], { stdio: [0, full.fd, 'pipe'] });
      expect(await text(child.stderr)).toMatch(/^error: cannot write to standard output: .*\n$/);
      expect(await closed).toBe(1);
      await full.close();
    },
  );

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'exits with the status that shells use for a signal if another Node.js version starts it and it receives %s',
    async (signal, code) => {
      const requests = service.received.length;
      service.script = () => 'hang';
      const older = `Object.defineProperty(process, 'versions', { value: { node: '20.0.0' } })`;
      const argv = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, bin, 'list'];
      const { child, closed } = start(argv);
      await vi.waitFor(() => expect(service.received.length).toBe(requests + 1), 20_000);
      child.kill(signal);
      expect(await text(child.stderr)).toBe('');
      expect(await closed).toBe(code);
    },
  );

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'watches until it receives %s and exits with 0',
    async (signal) => {
      const { child, closed } = start([bin, 'watch', 'activation', 'T1']);
      child.stdout.once('data', () => child.kill(signal));
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      expect({ status: await closed, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toMatch(/ {2}Active {2}66%\n$/);
    },
  );
});
