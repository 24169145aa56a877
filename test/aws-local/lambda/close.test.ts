import { execFile, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bundle, call, define, hostOf } from './bundles.ts';
import { Gate, pass } from './gate.ts';

/** Returns the arguments of a Node.js process that invokes a function with each event and prints the results. */
async function program(source: string, ...events: object[]): Promise<string[]> {
  const hostUrl = new URL('../../../src/aws-local/lambda/lambda-host.ts', import.meta.url);
  const definition = { ...(await define('f', source)), timeoutSeconds: 30 };
  const code = `
    import { LambdaHost } from ${JSON.stringify(hostUrl.href)};
    const host = new LambdaHost({ functions: [${JSON.stringify(definition)}], runtimeEnvironment: {} });
    process.on('SIGINT', () => {});
    const invoke = (event) => host.invoke({ functionName: 'f', payload: JSON.stringify(event) });
    const results = await Promise.all(${JSON.stringify(events)}.map(invoke));
    await host.close();
    console.log(...results.map(({ payload }) => payload));`;
  return ['--input-type=module', '--eval', code];
}

describe('closing a Lambda host', () => {
  it('ends running and waiting invocations, even in an endless loop', async () => {
    const source = `${pass} export const handler = async ({ port }) => {
      void pass(port);
      await new Promise((resolve) => setTimeout(resolve));
      for (;;);
    };`;
    using gate = await Gate.start();
    const { port } = gate;
    const host = hostOf([await define('f', source)], { maximumEnvironments: 1 });
    const both = Promise.allSettled([call(host, 'f', { port }), call(host, 'f', { port })]);
    await gate.holds(1);
    await host.close();
    expect(await both).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ code: 'ServiceException' }) },
      { status: 'rejected', reason: expect.objectContaining({ code: 'ServiceException' }) },
    ]);
    await expect(call(host, 'f')).rejects.toMatchObject({ code: 'ServiceException' });
  });

  it('ends running invocations of a removed function', async () => {
    const source = `${pass} export const handler = async ({ port }) => {
      void pass(port);
      await new Promise((resolve) => setTimeout(resolve));
      for (;;);
    };`;
    using gate = await Gate.start();
    const { port } = gate;
    const host = hostOf([await define('f', source, { timeoutSeconds: 60 })]);
    const running = call(host, 'f', { port });
    await gate.holds(1);
    host.remove('f');
    await Promise.all([
      expect(running).rejects.toMatchObject({ code: 'ServiceException' }),
      host.close(),
    ]);
  });

  it('allows the process of the host to exit', async () => {
    const codePath = await bundle(`
      setInterval(() => {}, 1000);
      export const handler = async ({ fail }) => { if (fail) throw new Error('failed'); return 'ran'; };`);
    const hostUrl = new URL('../../../src/aws-local/lambda/lambda-host.ts', import.meta.url);
    const definition = { ...(await define('f', '', { codePath })), timeoutSeconds: 30 };
    const program = `
      import { LambdaHost } from ${JSON.stringify(hostUrl.href)};
      const host = new LambdaHost({ functions: [${JSON.stringify(definition)}], runtimeEnvironment: {} });
      const result = await host.invoke({ functionName: 'f' });
      host.define(${JSON.stringify(definition)});
      await host.invoke({ functionName: 'f', invocationType: 'Event', payload: '{"fail":true}' });
      while (host.statistics().f.errors === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await host.close();
      console.log(result.payload);`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { timeout: 20_000 },
    );
    expect(stdout).toBe('"ran"\n');
  });
});

describe('the processes of a Lambda host', () => {
  it('exit when the host is killed, even in an endless loop', async () => {
    const source = `${pass}
      export const handler = async ({ port, loop }) => {
        const passed = pass(port);
        await new Promise((resolve) => setTimeout(resolve));
        while (loop);
        await passed;
      };`;
    using gate = await Gate.start();
    const { port } = gate;
    const args = await program(source, { port, loop: false }, { port, loop: true });
    const host = spawn(process.execPath, args);
    await gate.holds(2);
    host.kill('SIGKILL');
    await expect.poll(() => gate.inside, { timeout: 10_000 }).toBe(0);
  });

  it('exit with the processes that they started when the host is killed', async () => {
    const source = `
      import { spawn } from 'node:child_process';
      const waiting = (port) => \`require('node:net').connect(\${port}, '127.0.0.1')\`;
      export const handler = async ({ port }) => {
        spawn(process.execPath, ['--eval', waiting(port)]);
        await new Promise(() => {});
      };`;
    using gate = await Gate.start();
    const host = spawn(process.execPath, await program(source, { port: gate.port }));
    await gate.holds(1);
    host.kill('SIGKILL');
    await expect.poll(() => gate.inside, { timeout: 10_000 }).toBe(0);
  });

  it.each([
    ['its process exits', 'process.exit(1)'],
    ['its invocation times out', 'await new Promise(() => {})'],
  ])('exit with the processes that the function started if %s', async (_, end) => {
    const source = `
        import { once } from 'node:events';
        import { spawn } from 'node:child_process';
        const waiting = (port) =>
          \`require('node:net').connect(\${port}, '127.0.0.1', () => console.log('waiting'))\`;
        export const handler = async ({ port }) => {
          const stdio = ['ignore', 'pipe', 'inherit'];
          await once(spawn(process.execPath, ['--eval', waiting(port)], { stdio }).stdout, 'data');
          ${end};
        };`;
    using gate = await Gate.start();
    const { port } = gate;
    const host = hostOf([await define('f', source, { timeoutSeconds: 3 })]);
    expect(await call(host, 'f', { port })).toMatchObject({ functionError: 'Unhandled' });
    await expect.poll(() => gate.inside, { timeout: 10_000 }).toBe(0);
    await host.close();
  });

  it('keep running when the process group of the host receives SIGINT', async () => {
    const source = `${pass} export const handler = async ({ port }) => { await pass(port); return 'ran'; };`;
    using gate = await Gate.start();
    const args = await program(source, { port: gate.port });
    const host = spawn(process.execPath, args, { detached: true });
    const stdout = text(host.stdout);
    await gate.holds(1);
    process.kill(-host.pid!, 'SIGINT');
    gate.open();
    expect(await stdout).toBe('"ran"\n');
  });
});
