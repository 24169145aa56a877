import { ServiceClient, type ServiceOptions } from './service-client.ts';

/**
 * How long a connection can be inactive before its request counts as lost, in milliseconds. A healthy service responds
 * much faster. A call ends within 9 seconds, including all attempts of `withRetries`, so a model's function with the
 * default timeout of 10 seconds still receives the error.
 */
export const socketTimeout = 5_000;

/** Calls an operation of a service and returns its output. The caller knows the type of the output. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the output is not validated
export type JsonService = <Output>(operation: string, input: object) => Promise<Output>;

/**
 * Creates a client for a service that uses one of AWS's JSON protocols.
 *
 * @param target the prefix of operation names.
 * @param read parses the JSON of an output. Default: `JSON.parse`.
 * @see https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html
 */
export function jsonService(
  options: ServiceOptions,
  { service, version, target }: { service: string; version: '1.0' | '1.1'; target: string },
  read: (json: string) => unknown = (json) => JSON.parse(json) as unknown,
): JsonService {
  const contentType = `application/x-amz-json-${version}`;
  const client = new ServiceClient(options, { service, contentType, socketTimeout });
  return async <Output>(operation: string, input: object) => {
    const headers = { 'x-amz-target': `${target}.${operation}` };
    const { body } = await client.call('/', headers, JSON.stringify(input));
    return (body === '' ? {} : read(body)) as Output;
  };
}
