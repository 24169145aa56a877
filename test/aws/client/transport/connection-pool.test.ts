import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestsTo } from '../../../../src/aws/client/transport/connection-pool.ts';
import type { HttpRequest } from '../../../../src/aws/client/transport/http-message.ts';
import { listen } from '../../../../src/aws-local/server/listen.ts';
import { selfSignedCertificate } from '../../../support/self-signed-certificate.ts';

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

const post = (body: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  path: '/a?b=c',
  headers: { host: 'example' },
  body,
  ...more,
});

/** Starts an HTTP server. Also returns the number of connections that it accepted. */
async function httpServer(respond: RequestListener) {
  const server = createServer(respond);
  let connections = 0;
  server.on('connection', () => connections++);
  const { url } = stack.use(await listen(server, 0));
  stack.defer(() => server.closeAllConnections());
  return { url: new URL(url), server, connections: () => connections };
}

/** Starts a TCP server that calls a function for the bytes from each connection. */
async function tcpServer(receive: (socket: Socket, connection: number) => void) {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    const connection = ++connections;
    sockets.add(socket);
    socket.on('error', () => {}).on('data', () => receive(socket, connection));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { url: new URL(`http://127.0.0.1:${port}`), connections: () => connections };
}

const echo: RequestListener = (request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const { method, url, headers } = request;
    const body = Buffer.concat(pieces).toString();
    response.end(JSON.stringify({ method, url, headers, body }));
  });
};

const ok = (body: string, ...headers: string[]) =>
  ['HTTP/1.1 200 OK', `content-length: ${Buffer.byteLength(body)}`, ...headers, '', body].join(
    '\r\n',
  );

describe('a request', () => {
  it('arrives with its method, path, headers, and body', async () => {
    const { url } = await httpServer(echo);
    const send = requestsTo(url);
    for (const body of ['', 'é🚲', 'x'.repeat(2_000_000)]) {
      const request = post(body, { headers: { host: 'example', 'x-a': 'b; "c"' } });
      const { status, body: answered } = await send(request);
      expect([status, JSON.parse(answered)]).toEqual([
        200,
        {
          method: 'POST',
          url: '/a?b=c',
          headers: { ...request.headers, 'content-length': String(Buffer.byteLength(body)) },
          body,
        },
      ]);
    }
    for (const method of ['GET', 'DELETE'] as const)
      expect(JSON.parse((await send(post('', { method }))).body)).toMatchObject({ method });
  });

  it.each<[string, Partial<HttpRequest>]>([
    ['a path with a space', { path: '/a b' }],
    ['a path with a line break', { path: '/a\r\nx:y' }],
    ['a header with a line break', { headers: { a: 'b\r\nc: d' } }],
    ['a header with non-ASCII characters', { headers: { a: 'é' } }],
  ])('with %s is not sent', async (_, more) => {
    const { url } = await httpServer(echo);
    const send = requestsTo(url);
    await expect(send(post('', more))).rejects.toThrow(TypeError);
    expect(await send(post(''))).toMatchObject({ status: 200 });
  });

  it('uses the connection of an earlier request', async () => {
    const { url, connections } = await httpServer(echo);
    const send = requestsTo(url);
    for (let n = 0; n < 5; n++) expect(await send(post(String(n)))).toMatchObject({ status: 200 });
    expect(connections()).toBe(1);
  });

  it('gets its own response, whatever the order of the responses to concurrent requests', async () => {
    const waiting: (() => void)[] = [];
    const { url, connections } = await httpServer((request, response) => {
      waiting.push(() => echo(request, response));
      if (waiting.length < 50) return;
      for (const respond of waiting.splice(0).toReversed()) respond();
    });
    const send = requestsTo(url);
    const all = Array.from({ length: 150 }, (_, n) => String(n));
    const answers = await Promise.all(all.map((body) => send(post(body))));
    expect(answers.map(({ body }) => (JSON.parse(body) as { body: string }).body)).toEqual(all);
    // At most 50 requests are sent at a time.
    expect(connections()).toBe(50);
  });

  it('uses a new connection after the server closed the previous one', async () => {
    const closing = await httpServer((request, response) => {
      response.setHeader('connection', 'close');
      echo(request, response);
    });
    const send = requestsTo(closing.url);
    for (let n = 0; n < 3; n++) expect(await send(post(''))).toMatchObject({ status: 200 });
    expect(closing.connections()).toBe(3);

    const idle = await httpServer(echo);
    const sendToIdle = requestsTo(idle.url);
    await sendToIdle(post(''));
    idle.server.closeIdleConnections();
    // A request fails if it is sent before the client notices that the server closed the connection.
    const status = () =>
      sendToIdle(post('')).then(
        (answer) => answer.status,
        () => undefined,
      );
    await expect.poll(status).toBe(200);
    expect(idle.connections()).toBe(2);
  });

  it('uses a new connection after bytes that belong to no request', async () => {
    const { url, connections } = await tcpServer((socket, connection) => {
      socket.write(connection === 1 ? `${ok('one')}HTTP` : ok('two'));
    });
    const send = requestsTo(url);
    expect((await send(post(''))).body).toBe('one');
    expect((await send(post(''))).body).toBe('two');
    expect(connections()).toBe(2);
  });

  it('fails with the code of the connection error', async () => {
    const { url } = await tcpServer((socket) => socket.resetAndDestroy());
    await expect(requestsTo(url)(post(''))).rejects.toMatchObject({ code: 'ECONNRESET' });
    const closed = await httpServer(echo);
    await new Promise((resolve) => closed.server.close(resolve));
    await expect(requestsTo(closed.url)(post(''))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('fails if the connection ends within the response', async () => {
    for (const part of ['', 'HTTP/1.1 200', ok('whole').slice(0, -1)]) {
      const { url } = await tcpServer((socket) => socket.end(part));
      await expect(requestsTo(url)(post(''))).rejects.toMatchObject({ code: 'ECONNRESET' });
    }
  });

  it('gets a response that ends with the connection', async () => {
    const { url } = await tcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'));
    expect(await requestsTo(url)(post(''))).toMatchObject({ status: 200, body: 'all of it' });
  });

  it('fails if the server sends anything other than HTTP', async () => {
    const { url } = await tcpServer((socket) => socket.write('hello\r\n\r\n'));
    await expect(requestsTo(url)(post(''))).rejects.toThrow('an invalid HTTP response');
  });

  it('fails if the connection is inactive for the maximum time, before or within the response', async () => {
    for (const part of ['', ok('whole').slice(0, -1)]) {
      const { url, connections } = await tcpServer((socket, connection) => {
        socket.write(connection === 1 ? part : ok('whole'));
      });
      const send = requestsTo(url, 100);
      await expect(send(post(''))).rejects.toMatchObject({ code: 'ETIMEDOUT' });
      expect((await send(post(''))).body).toBe('whole');
      expect(connections()).toBe(2);
    }
  });

  it('succeeds even if the connection was inactive before the request', async () => {
    const { url, connections } = await httpServer(echo);
    // The timeout also applies to the responses, which take longer while the machine is busy.
    const send = requestsTo(url, 1_000);
    await send(post(''));
    await setTimeout(1_100);
    expect(await send(post(''))).toMatchObject({ status: 200 });
    expect(connections()).toBe(1);
  });
});

describe('a request to an HTTPS server', () => {
  const trusted = getCACertificates('default');
  afterEach(() => setDefaultCACertificates(trusted));

  /** Starts an HTTPS server with a certificate for the given hosts. Also returns whether it resumed each TLS session. */
  async function httpsServer(...hosts: readonly string[]) {
    const { key, cert } = selfSignedCertificate(...hosts);
    const server = createHttpsServer({ key, cert }, echo);
    const resumed: boolean[] = [];
    server.on('secureConnection', (socket) => resumed.push(socket.isSessionReused()));
    const { url } = stack.use(await listen(server, 0));
    stack.defer(() => server.closeAllConnections());
    const { port } = new URL(url);
    return { urlOf: (host: string) => new URL(`https://${host}:${port}`), cert, resumed };
  }

  it('is sent if the certificate is trusted and contains the host', async () => {
    const { urlOf, cert } = await httpsServer('localhost', '127.0.0.1');
    setDefaultCACertificates([...trusted, cert]);
    for (const host of ['localhost', '127.0.0.1'])
      expect(await requestsTo(urlOf(host), 5_000)(post('é'))).toMatchObject({ status: 200 });
  });

  it('is not sent if the certificate is not trusted or is for another host', async () => {
    const { urlOf, cert } = await httpsServer('localhost');
    await expect(requestsTo(urlOf('localhost'))(post(''))).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    setDefaultCACertificates([...trusted, cert]);
    await expect(requestsTo(urlOf('127.0.0.1'))(post(''))).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });

  it('resumes the TLS session of an earlier connection', async () => {
    const { urlOf, cert, resumed } = await httpsServer('localhost');
    setDefaultCACertificates([...trusted, cert]);
    const send = requestsTo(urlOf('localhost'));
    await send(post(''));
    await Promise.all([send(post('')), send(post(''))]);
    expect(resumed).toEqual([false, true]);
  });
});
