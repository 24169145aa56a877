import type { Server } from 'node:http';
import { createServer, type ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

/** The start of every HTTP/2 connection, and of no HTTP/1 request: there is no method of that name. */
const preface = Buffer.from('PRI ');

/**
 * The memory that one connection may take, in megabytes. By default it is 10: further requests of a
 * client that has not read two full answers of GetRecords would be refused.
 */
const maxSessionMemory = 1_000;

/**
 * Has an HTTP server also speak HTTP/2 on its port, to clients that begin with it ("prior knowledge"):
 * the AWS SDK for JavaScript and the asynchronous clients of the one for Java do so with Kinesis. Both
 * protocols' requests go to the listeners of the server. `close`, `closeIdleConnections` and
 * `closeAllConnections` then include connections of HTTP/2. An offer to upgrade is ignored, as AWS does.
 *
 * To be called before the server listens; returns the same server.
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
  http2.on('sessionError', () => {}); // the session is closed by it
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
 * Reads the first bytes of a connection, and puts them back.
 *
 * @param decide is told whether they begin HTTP/2; undefined: the client went away, or sent too little in time.
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
