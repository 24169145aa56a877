import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PutRecordCommand } from '@aws-sdk/client-kinesis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instancePath, Service } from '../../support/service/service.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const created = (id: string, transactionid: string) => ({
  id,
  type: 'account.created',
  modelid: 'activation',
  transactionid,
});

function expectReadyLineAlone(stdout: string): void {
  expect(JSON.parse(stdout)).toEqual({
    ready: true,
    api: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    kinesis: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    dynamodb: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    lambda: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    stream: 'milepost-events',
    region: 'us-east-1',
  });
}

/** Returns environment variables that make each process of the service run the given code first. */
const preloading = (code: string) => {
  const module = `${code} import { syncBuiltinESMExports } from 'node:module'; syncBuiltinESMExports();`;
  return { NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(module)}"` };
};

describe('the local service', () => {
  it('stores a separate checkpoint for each stream, at its last record', async () => {
    const data = join(folder, 'checkpoints');
    const service = await Service.start({ MILEPOST_DATA: data });
    const event = created('a', 'CHECKPOINT');
    const { ShardId, SequenceNumber } = await service.kinesis.send(
      new PutRecordCommand({
        StreamName: service.ready.stream,
        PartitionKey: event.transactionid,
        Data: Buffer.from(JSON.stringify(event)),
      }),
    );
    await service.eventually(instancePath('activation', 'CHECKPOINT'), () => true);
    expect((await service.stop()).status).toBe(0);

    const checkpoints = join(data, 'checkpoints');
    const names = await readdir(checkpoints);
    const texts = await Promise.all(names.map((name) => readFile(join(checkpoints, name), 'utf8')));
    const positions = texts.map((text) => JSON.parse(text).shards[ShardId!]);
    // The event stream, the notification stream, and the stream of the instances table each have one checkpoint file.
    expect(names).toHaveLength(3);
    expect(positions).toContainEqual({
      at: 'AFTER_SEQUENCE_NUMBER',
      sequenceNumber: SequenceNumber,
    });
  });

  it('preserves its data between runs, locks the data folder, and prints only its ready line', async () => {
    const data = join(folder, 'kept');
    const first = await Service.start({ MILEPOST_DATA: data });
    await first.post(created('a', 'KEPT'), { ...created('x', 'KEPT'), modelid: 'nobody' });
    const before = await first.eventually(instancePath('activation', 'KEPT'), () => true);
    await first.eventually<{ deadLetters: unknown[] }>(
      '/api/dead-letters',
      (body) => body.deadLetters.length === 1,
    );
    const { status, stdout } = await first.stop('SIGTERM');
    expect(status).toBe(0);
    expectReadyLineAlone(stdout);

    const second = await Service.start({ MILEPOST_DATA: data });
    expect((await second.ask(instancePath('activation', 'KEPT'))).body).toEqual(before);
    await second.post({
      ...created('b', 'KEPT'),
      type: 'activation.requested',
      data: { service: 'A' },
    });
    const after = await second.eventually(
      instancePath('activation', 'KEPT'),
      (body) => body.status === 'Waiting',
    );
    expect(after.version).toBe(2);
    const { body } = await second.ask<{ deadLetters: unknown[] }>('/api/dead-letters');
    expect(body.deadLetters).toHaveLength(1);

    const { status: refused, stderr } = await Service.run({ MILEPOST_DATA: data });
    expect(refused).toBe(1);
    expect(stderr).toBe(
      `the data folder ${data} is in use by another Milepost service; stop that service, or set MILEPOST_DATA to another folder\n`,
    );
    await second.post(created('c', 'STILL'));
    await second.eventually(instancePath('activation', 'STILL'), () => true);
    expect(await second.stop('SIGINT')).toMatchObject({ status: 0 });
  });
});

describe('the local service', () => {
  it.concurrent.each([
    'MILEPOST_PORT',
    'MILEPOST_KINESIS_PORT',
    'MILEPOST_DYNAMODB_PORT',
    'MILEPOST_LAMBDA_PORT',
    'MILEPOST_EVENTBRIDGE_PORT',
  ])('fails to start with a one-line reason if %s is in use', async (variable) => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
    });
    const { status, stdout, stderr } = await Service.run({ [variable]: String(port) });
    other.close();
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toBe(
      `port ${port} is already in use; set ${variable} to another port, or to 0 for a free one\n`,
    );
  });

  it('fails to start with a one-line reason if the data folder cannot be written', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    const { status, stderr } = await Service.run({ MILEPOST_DATA: join(file, 'below') });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^the data folder .* is not writable: .*\n$/);
  });

  it.each([
    ['never finishes', '() => new Promise(() => setInterval(() => {}, 1000))'],
    ['then fails', 'async () => { await setTimeout(1000); throw new Error(); }'],
  ])('stops with status 0 after a signal if the start %s', async (_what, mkdtemp) => {
    const blocked = `() => { process.stderr.write('the start is blocked'); return (${mkdtemp})(); }`;
    const service = Service.launch(
      preloading(
        `import fs from 'node:fs/promises'; import { setTimeout } from 'node:timers/promises'; fs.mkdtemp = ${blocked};`,
      ),
    );
    await service.waitForLog(/(the start is blocked)/);
    expect(await service.stop('SIGTERM')).toMatchObject({ status: 0, stdout: '' });
  });

  // Windows has no `ps`.
  it.skipIf(process.platform === 'win32').each(['dynamodb', 'kinesis'])(
    'ends with the reason as its last line if the %s endpoint exits during or after the start',
    async (endpoint) => {
      const service = Service.launch({});
      await service.waitForLog(/(is starting)/);
      const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,ppid=,args=']);
      const isEndpoint = new RegExp(`^ *(\\d+) +${service.process.pid} .*/${endpoint}/`, 'm');
      process.kill(Number(isEndpoint.exec(stdout)![1]), 'SIGKILL');
      const { status, stderr } = await service.ended;
      expect(status).toBe(1);
      expect(stderr).toMatch(
        /the (?:DynamoDB|Kinesis) endpoint exited unexpectedly \(SIGKILL\)\n$/,
      );
    },
  );

  it('stops with status 0 after a signal while its program is loading', async () => {
    const signal = "process.kill(process.pid, 'SIGTERM')";
    const loading = preloading(
      `import module from 'node:module'; module.enableCompileCache = () => ${signal};`,
    );
    expect(await Service.run(loading)).toMatchObject({ status: 0, stdout: '' });
  });

  it('stops with status 0 after a signal while an older Node.js version starts the program', async () => {
    const starting = preloading(
      `import child from 'node:child_process';
      delete process.env.NODE_OPTIONS;
      Object.defineProperty(process.versions, 'node', { value: '22.0.0' });
      const { spawn } = child;
      child.spawn = (...args) => { process.kill(process.pid, 'SIGTERM'); return spawn(...args); };`,
    );
    expect(await Service.run(starting)).toMatchObject({ status: 0, stdout: '' });
  });

  it.each([
    ['directly', {}],
    [
      'with an older Node.js version',
      preloading(
        `delete process.env.NODE_OPTIONS;
        Object.defineProperty(process.versions, 'node', { value: '22.0.0' });`,
      ),
    ],
  ])(
    'stops with status 0 if it is started %s and receives signals until it has exited',
    async (_how, variables) => {
      const service = await Service.start(variables);
      const signals = setInterval(() => service.process.kill('SIGINT'), 1);
      try {
        expect(await service.ended).toMatchObject({ status: 0 });
      } finally {
        clearInterval(signals);
      }
    },
  );

  it('fails to start with a one-line reason if a port is invalid', async () => {
    const { status, stderr } = await Service.run({ MILEPOST_PORT: 'http' });
    expect(status).toBe(1);
    expect(stderr).toBe('MILEPOST_PORT must be a port from 0 to 65535; got "http"\n');
  });
});
