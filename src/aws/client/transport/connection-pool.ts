import type { TLSSocket } from 'node:tls';
import { HttpConnection } from './http-connection.ts';
import type { SendRequest } from './http-message.ts';

/** The maximum number of concurrent requests. Additional requests wait for a connection. */
const maximumConnections = 50;

/**
 * Returns a function that sends requests to one server over persistent connections.
 *
 * @param patience how long a connection can be inactive during a request, in milliseconds. Default: unlimited.
 */
export function requestsTo(endpoint: URL, patience?: number): SendRequest {
  const connect = connectionsTo(endpoint);
  /** The connections without a request. The last connection was used most recently. */
  const idle: HttpConnection[] = [];
  let inUse = 0;
  const waiting: (() => void)[] = [];
  return async (request) => {
    if (inUse < maximumConnections) inUse++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    let connection = idle.pop();
    // The server may have closed connections while they were idle.
    while (connection && !connection.isOpen) connection = idle.pop();
    connection ??= new HttpConnection(connect(), patience);
    try {
      return await connection.send(request);
    } finally {
      if (connection.isOpen) idle.push(connection);
      const next = waiting.shift();
      if (next) next();
      else inUse--;
    }
  };
}

/** Returns a function that opens sockets to a server. */
function connectionsTo({ protocol, hostname, port }: URL) {
  // The host of a URL with an IPv6 address contains brackets.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (protocol !== 'https:') {
    const net = process.getBuiltinModule('node:net');
    return () => net.connect({ host, port: Number(port || 80) });
  }
  const tls = process.getBuiltinModule('node:tls');
  const servername = process.getBuiltinModule('node:net').isIP(host) ? '' : host;
  /** The latest TLS session, which makes the next handshake faster. */
  let session: Buffer | undefined;
  return () => {
    const socket: TLSSocket = tls.connect({
      host,
      port: Number(port || 443),
      servername,
      ...(session && { session }),
    });
    socket.on('session', (latest) => {
      session = latest;
    });
    return socket;
  };
}
