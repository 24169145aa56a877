import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listen } from '../../../src/aws-local/server/listen.ts';
import { StartError } from '../../../src/aws-local/server/start-error.ts';

const hello = () => createServer((_, response) => response.end('hello'));

describe('listen', () => {
  it('listens on a free port of 127.0.0.1', async () => {
    await using first = await listen(hello(), 0);
    await using second = await listen(hello(), 0);
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(first.url).not.toBe(second.url);
    expect(await (await fetch(first.url)).text()).toBe('hello');
  });

  it.each([
    ['127.0.0.1', undefined],
    ['0.0.0.0', '0.0.0.0'],
  ] as const)('listens on the address %s if the host option is %s', async (address, host) => {
    const server = hello();
    await using listening = await listen(server, 0, { host });
    expect(server.address()).toMatchObject({ address });
    expect(listening.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('throws a StartError for a port that is in use', async () => {
    await using taken = await listen(hello(), 0);
    const port = Number(new URL(taken.url).port);
    const refused = listen(hello(), port);
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow(`port ${port} is already in use`);
  });

  it('releases the port on disposal, even with open connections', async () => {
    const server = await listen(hello(), 0);
    const port = Number(new URL(server.url).port);
    const client = connect(port, '127.0.0.1');
    await new Promise((resolve) => client.once('connect', resolve));
    const gone = new Promise((resolve) => client.once('close', resolve));
    client.on('error', () => {});
    await server[Symbol.asyncDispose]();
    await gone;
    await using again = await listen(hello(), port);
    expect(again.url).toBe(server.url);
  });
});
