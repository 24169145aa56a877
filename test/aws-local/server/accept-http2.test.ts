import { once } from 'node:events';
import { createServer } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { acceptHttp2 } from '../../../src/aws-local/server/accept-http2.ts';
import { listen, type RunningServer } from '../../../src/aws-local/server/listen.ts';

/** Responds to each request with its HTTP version, path, and body length. */
const echo = () =>
  createServer((request, response) => {
    buffer(request).then(
      (body) => response.end(`${request.httpVersion} ${request.url} ${body.length}`),
      () => response.destroy(),
    );
  });

async function started(server = echo()): Promise<RunningServer> {
  const listening = await listen(acceptHttp2(server), 0);
  onTestFinished(() => listening[Symbol.asyncDispose]());
  return listening;
}

function sessionTo({ url }: RunningServer): ClientHttp2Session {
  const session = connectHttp2(url, { maxSessionMemory: 1_000 });
  session.on('error', () => {});
  onTestFinished(() => session.destroy());
  return session;
}

function ask(session: ClientHttp2Session, path: string, body = ''): Promise<string> {
  const stream = session.request({ ':path': path, ':method': 'POST' });
  stream.end(body);
  return text(stream);
}

function socketTo({ url }: RunningServer): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Resolves when the connection is closed, with or without an error. */
const closeOf = (connection: ClientHttp2Session | Socket) =>
  new Promise<void>((resolve) => {
    connection.once('close', () => resolve());
  });

const http1 = (path: string, headers = '') =>
  `POST ${path} HTTP/1.1\r\nHost: here\r\n${headers}Content-Length: 3\r\n\r\nabc`;
const lastHttp1 = (path: string, headers = '') => http1(path, `Connection: close\r\n${headers}`);

describe('a server that accepts HTTP/2', () => {
  it('supports HTTP/2 and HTTP/1.1 on one port', async () => {
    const server = await started();
    const session = sessionTo(server);
    expect(await ask(session, '/two', 'ab')).toBe('2.0 /two 2');
    expect(await (await fetch(`${server.url}/one`)).text()).toBe('1.1 /one 0');
  });

  it('accepts large bodies and many concurrent requests with HTTP/1.1 and HTTP/2', async () => {
    const server = await started();
    const session = sessionTo(server);
    const large = 'x'.repeat(5_000_000);
    const length = String(large.length);
    const asked = Array.from({ length: 20 }, (_, n) => ask(session, `/${n}`, n % 2 ? large : ''));
    const posted = await fetch(`${server.url}/large`, { method: 'POST', body: large });
    expect(await posted.text()).toBe(`1.1 /large ${length}`);
    const expected = asked.map((_, n) => `2.0 /${n} ${n % 2 ? length : 0}`);
    expect(await Promise.all(asked)).toEqual(expected);
  });

  it('sends large responses to a client that reads them with a delay', async () => {
    const large = Buffer.alloc(5_000_000, 'x');
    const server = await started(createServer((_, response) => response.end(large)));
    const session = sessionTo(server);
    const streams = [];
    for (let n = 0; n < 10; n += 1) {
      const stream = session.request({ ':path': '/' }).end();
      await once(stream, 'response');
      streams.push(stream);
    }
    const answers = await Promise.all(streams.map((stream) => buffer(stream)));
    expect(answers.map(({ length }) => length)).toEqual(streams.map(() => large.length));
  });

  it.each(['P', 'PO', 'PR', 'PRO'])(
    'waits for more bytes to determine the HTTP version after %j',
    async (start) => {
      const server = await started();
      const socket = socketTo(server);
      const request = lastHttp1('/slow').replace(
        'POST',
        start.startsWith('PR') ? 'PROPFIND' : 'POST',
      );
      for (const part of [...start.split(''), request.slice(start.length)]) {
        socket.write(part);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await text(socket)).toContain('1.1 /slow 3');
    },
  );

  it('responds to several requests in one packet from a client that has closed its side of the connection', async () => {
    const server = await started();
    const socket = socketTo(server);
    socket.end(http1('/first') + lastHttp1('/second'));
    expect(await text(socket)).toMatch(/1\.1 \/first 3[^]*1\.1 \/second 3/);
  });

  it('keeps using HTTP/1.1 if a client offers to upgrade, as AWS does', async () => {
    const server = await started();
    const socket = socketTo(server);
    const settings = 'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n';
    socket.write(
      lastHttp1('/up', `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n${settings}`),
    );
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [^]*1\.1 \/up 3/);
  });

  it('responds with status 400 to bytes that are not HTTP', async () => {
    const server = await started();
    const socket = socketTo(server);
    socket.write('PRETTY PLEASE\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await (await fetch(server.url)).text()).toBe('1.1 / 0');
  });

  it('closes the connection of a client that sends nothing or disconnects early', async () => {
    const server = echo();
    server.headersTimeout = 20;
    const listening = await started(server);
    const silent = socketTo(listening);
    await closeOf(silent);
    const half = socketTo(listening);
    half.end('PR');
    expect(await text(half)).toMatch(/^HTTP\/1\.1 400 |^$/);
    socketTo(listening).resetAndDestroy();
    await vi.waitFor(async () => {
      const open = await new Promise((resolve) => {
        server.getConnections((_, count) => resolve(count));
      });
      expect(open).toBe(0);
    });
  });

  it('closes idle connections when it closes, and completes the requests in flight', async () => {
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const server = createServer((_, response) => {
      begun.resolve();
      void go.promise.then(() => response.end('done'));
    });
    const listening = await started(server);
    const session = sessionTo(listening);
    const idle = sessionTo(listening);
    const undecided = socketTo(listening);
    await Promise.all([once(idle, 'connect'), once(undecided, 'connect')]);
    const answer = ask(session, '/');
    await begun.promise;

    const closed = new Promise((resolve) => {
      server.close(resolve);
    });
    await Promise.all([closeOf(idle), closeOf(undecided)]);
    go.resolve();

    expect(await answer).toBe('done');
    await closed;
  });

  it('closes a connection with an unanswered request when it is disposed', async () => {
    const server = createServer(() => {});
    const listening = await started(server);
    const session = sessionTo(listening);
    const unanswered = ask(session, '/').catch(() => 'failed');
    await once(server, 'request');
    const closed = closeOf(session);
    await listening[Symbol.asyncDispose]();
    await closed;
    await unanswered;
    expect(session.destroyed).toBe(true);
  });
});
