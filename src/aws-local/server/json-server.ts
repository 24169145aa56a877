import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { messageOf } from '../../common/message-of.ts';

/** A response from a service. */
export interface ServiceResponse {
  readonly status: number;
  readonly body: object;
}

/** The response to an unsupported operation. */
export const unknownOperation = (operation: string): ServiceResponse => ({
  status: 400,
  body: {
    __type: 'UnknownOperationException',
    message: `The local endpoint does not support ${operation}.`,
  },
});

/**
 * Creates a server for the protocol AWS JSON 1.1 over HTTP. The caller starts and closes the server.
 *
 * @param handle handles an operation, such as `TrentService.Decrypt`, with its input as JSON.
 * @param failure the name of the error that the server returns if `handle` throws.
 */
export function createJsonServer(
  handle: (operation: string, input: string) => Promise<ServiceResponse>,
  failure: string,
): Server {
  return createServer((request, response) => {
    const send = ({ status, body }: ServiceResponse) =>
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
        .end(JSON.stringify(body));
    text(request)
      .then((input) => handle(String(request.headers['x-amz-target']), input))
      .then(send, (error: unknown) =>
        send({ status: 500, body: { __type: failure, Message: messageOf(error) } }),
      );
  });
}
