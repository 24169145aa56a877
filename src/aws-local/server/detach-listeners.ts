import type { RequestListener, Server } from 'node:http';

/** Removes a server's request listeners. Returns a listener that calls all removed listeners. */
export function detachListeners(server: Server): RequestListener {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  return (request, response) => {
    for (const listener of listeners) listener.call(server, request, response);
  };
}
