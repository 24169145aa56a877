import { ServiceClient, type ServiceOptions } from './service-client.ts';

/**
 * How long a connection may be silent before a request counts as lost, in milliseconds: far longer than
 * a healthy service takes. With the attempts of `withRetries` a call ends within 9 seconds, so that a
 * model with the default timeout of 10 seconds learns what it failed by.
 */
const socketTimeout = 5_000;

/** Calls an operation with its input, and gives its output. */
export type JsonService = (operation: string, input: object) => Promise<unknown>;

/**
 * A service that speaks one of AWS's JSON protocols.
 *
 * @param target what stands before an operation's name.
 * @param read reads an output from JSON. Default: as it is.
 * @see https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html
 */
export function jsonService(
  options: ServiceOptions,
  { service, version, target }: { service: string; version: '1.0' | '1.1'; target: string },
  read: (json: string) => unknown = (json) => JSON.parse(json) as unknown,
): JsonService {
  const contentType = `application/x-amz-json-${version}`;
  const client = new ServiceClient(options, { service, contentType, socketTimeout: socketTimeout });
  return async (operation, input) => {
    const headers = { 'x-amz-target': `${target}.${operation}` };
    const { body } = await client.call('/', headers, JSON.stringify(input));
    return body === '' ? {} : read(body);
  };
}
