import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bundle, call, define, hostOf } from './bundles.ts';

describe('close', () => {
  it('ends what runs, what waits and what loops', async () => {
    const source = `export const handler = async () => {
      new BroadcastChannel('closing').postMessage('here');
      for (;;);
    };`;
    const host = hostOf([await define('f', source)], { maximumEnvironments: 1 });
    const channel = new BroadcastChannel('closing');
    const here = once(channel, 'message');
    const both = Promise.allSettled([call(host, 'f'), call(host, 'f')]);
    await here;
    channel.close();
    await host.close();
    expect(await both).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ code: 'ServiceException' }) },
      { status: 'rejected', reason: expect.objectContaining({ code: 'ServiceException' }) },
    ]);
    await expect(call(host, 'f')).rejects.toMatchObject({ code: 'ServiceException' });
  });

  it('ends what a function that was taken away is still doing', async () => {
    const source = `export const handler = async () => {
      new BroadcastChannel('leaving').postMessage('here');
      for (;;);
    };`;
    const host = hostOf([await define('f', source, { timeoutSeconds: 60 })]);
    const channel = new BroadcastChannel('leaving');
    const here = once(channel, 'message');
    const running = call(host, 'f');
    await here;
    channel.close();
    host.remove('f');
    await Promise.all([
      expect(running).rejects.toMatchObject({ code: 'ServiceException' }),
      host.close(),
    ]);
  });

  it('lets the process come to its end', async () => {
    const codePath = await bundle(`
      setInterval(() => {}, 1000);
      export const handler = async ({ fail }) => { if (fail) throw new Error('failed'); return 'ran'; };`);
    const hostUrl = new URL('../../../src/local/lambda/lambda-host.ts', import.meta.url);
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
