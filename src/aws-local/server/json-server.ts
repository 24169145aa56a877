import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { messageOf } from '../../common/message-of.ts';

/** What a service answers. */
export interface ServiceResponse {
  readonly status: number;
  readonly body: object;
}

/** The answer to a request for an operation that is missing here. */
export const unknownOperation = (operation: string): ServiceResponse => ({
  status: 400,
  body: { __type: 'UnknownOperationException', message: `${operation} is not offered here.` },
});

/**
 * A service that speaks AWS JSON 1.1 over HTTP. The caller listens, on 127.0.0.1, and closes it.
 *
 * @param answer to an operation, such as `TrentService.Decrypt`, and its input as JSON.
 * @param failure what the service calls it when that throws.
 */
export function createJsonServer(
  answer: (operation: string, input: string) => Promise<ServiceResponse>,
  failure: string,
): Server {
  return createServer((request, response) => {
    const send = ({ status, body }: ServiceResponse) =>
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
        .end(JSON.stringify(body));
    text(request)
      .then((input) => answer(String(request.headers['x-amz-target']), input))
      .then(send, (error: unknown) =>
        send({ status: 500, body: { __type: failure, Message: messageOf(error) } }),
      );
  });
}
