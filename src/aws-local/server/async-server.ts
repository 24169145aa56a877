import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/**
 * Creates a server for an asynchronous request listener. If the listener fails, for example because the client
 * disconnects during its request, the server closes the connection. The caller starts and closes the server.
 */
export function createAsyncServer(
  respond: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Server {
  return createServer((request, response) => {
    respond(request, response).catch((error: Error) => response.destroy(error));
  });
}
