import type { Server } from 'node:http';
import { createServer, type ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

/**
 * The first bytes of every HTTP/2 connection. No HTTP/1 request starts with these bytes, because no method has this
 * name.
 */
const preface = Buffer.from('PRI ');

/**
 * The maximum memory of one connection, in MB. With the default of 10, a client that has not read two full GetRecords
 * responses could send no further requests.
 */
const maxSessionMemory = 1_000;

/**
 * Makes an HTTP server also accept HTTP/2 connections with prior knowledge on its port. The AWS SDK for JavaScript and
 * the asynchronous clients of the AWS SDK for Java use such connections with Kinesis. The server's listeners receive
 * the requests of both protocols. `closeIdleConnections` and `closeAllConnections`, and therefore `close`, also apply
 * to HTTP/2 connections. Like AWS, the server ignores requests to upgrade. Call this function before the server
 * listens. Returns the same server.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9113#section-3.3
 */
export function acceptHttp2<Accepting extends Server>(server: Accepting): Accepting {
  const http1 = server.listeners('connection');
  server.removeAllListeners('connection');
  const http2 = createServer({ maxSessionMemory }, (request, response) =>
    server.emit('request', request, response),
  );
  const undecided = new Set<Socket>();
  const sessions = new Set<ServerHttp2Session>();
  http2.on('sessionError', () => {}); // the session closes after an error
  http2.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.on('connection', (socket: Socket) => {
    undecided.add(socket);
    detectProtocol(socket, server.headersTimeout, (isHttp2) => {
      undecided.delete(socket);
      if (isHttp2 === undefined) socket.destroy();
      else if (isHttp2) http2.emit('connection', socket);
      else for (const listener of http1) listener.call(server, socket);
    });
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  const closeAll = server.closeAllConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    for (const socket of undecided) socket.destroy();
    for (const session of sessions) session.close();
  };
  server.closeAllConnections = () => {
    closeAll();
    for (const socket of undecided) socket.destroy();
    for (const session of sessions) session.destroy();
  };
  return server;
}

/**
 * Reads the first bytes of a connection and puts them back.
 *
 * @param decide receives true for HTTP/2, or undefined if the client disconnected or sent too little in time.
 */
function detectProtocol(
  socket: Socket,
  withinMs: number,
  decide: (isHttp2: boolean | undefined) => void,
): void {
  let start = Buffer.alloc(0);
  const done = (isHttp2?: boolean): void => {
    socket.off('readable', read).off('close', done).off('error', gone).off('timeout', gone);
    socket.setTimeout(0);
    if (start.length > 0) socket.unshift(start);
    decide(isHttp2);
  };
  const gone = (): void => done();
  const read = (): void => {
    const bytes = socket.read() as Buffer | null;
    if (bytes !== null) start = Buffer.concat([start, bytes]);
    const length = Math.min(start.length, preface.length);
    const isLike = start.subarray(0, length).equals(preface.subarray(0, length));
    if (!isLike) done(false);
    else if (length === preface.length) done(true);
    else if (socket.readableEnded || bytes === null) done();
  };
  socket.on('readable', read).once('close', gone).once('error', gone).once('timeout', gone);
  socket.setTimeout(withinMs);
}
