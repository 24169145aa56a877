import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rejectForeignPages } from '../../../src/aws-local/server/trusted-clients.ts';

let server: Server;
let deciding: Server;
beforeAll(async () => {
  server = rejectForeignPages(createServer((_, response) => response.end('answered')));
  deciding = createServer((_, response) => response.end('answered'));
  rejectForeignPages(deciding, { checksOrigins: true });
  for (const each of [server, deciding]) await once(each.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server.close();
  deciding.close();
});

/** Sends a request with headers that `fetch` does not allow. Returns the status. */
async function statusOf(headers: Record<string, string>, of = server): Promise<number> {
  const { port } = of.address() as AddressInfo;
  const sent = httpRequest({ host: '127.0.0.1', port, headers, method: 'POST' }).end('body');
  const [response] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

describe('a server on this machine', () => {
  it.each([
    '127.0.0.1:4500',
    'localhost:4500',
    'LOCALHOST',
    '[::1]:4500',
    'milepost:4500',
    'host.docker.internal:4567',
    'api.localhost:4500',
    '192.168.1.7:4500',
  ])('accepts a program that addresses it as %s', async (host) => {
    expect(await statusOf({ host })).toBe(200);
  });

  it.each([
    'attacker.example:4500',
    'rebound.example.com',
    'localhost.example.com',
    '127.0.0.1.nip.io',
    '@',
  ])('rejects the host name %j, which an attacker could point to this machine', async (host) => {
    expect(await statusOf({ host })).toBe(403);
  });

  it.each(['http://localhost:5173', 'http://127.0.0.1:4500', 'http://[::1]:3000'])(
    'accepts pages from %s',
    async (origin) => {
      expect(await statusOf({ host: 'localhost', origin })).toBe(200);
    },
  );

  it.each([
    ...['http://10.0.0.2', 'http://172.16.0.1:8080', 'http://192.168.1.7', 'http://169.254.1.1'],
    ...[
      'http://milepost:4500',
      'http://[fd00::1]',
      'http://[fe80::1]',
      'http://[::ffff:127.0.0.1]',
    ],
  ])('accepts pages from the private network address %s', async (origin) => {
    expect(await statusOf({ host: 'localhost', origin })).toBe(200);
  });

  it.each([
    ...['https://attacker.example', 'null', 'file://', 'https://localhost.attacker.example'],
    ...['http://203.0.113.7', 'http://172.32.0.1', 'http://3405803783', 'http://[2001:db8::7]'],
    'http://[::ffff:203.0.113.7]',
  ])('rejects pages from %s', async (origin) => {
    expect(await statusOf({ host: 'localhost', origin })).toBe(403);
  });

  it('can check origins itself, but still rejects public host names', async () => {
    const origin = 'https://shop.example';
    expect(await statusOf({ host: 'localhost', origin }, deciding)).toBe(200);
    expect(await statusOf({ host: 'shop.example', origin }, deciding)).toBe(403);
  });
});
