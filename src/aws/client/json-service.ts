import { ServiceClient, type ServiceOptions } from './service-client.ts';

/** How long an answer is waited for, in milliseconds: ten times what the slowest of them takes. */
const patience = 10_000;

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
  const client = new ServiceClient(options, { service, contentType, patience });
  return async (operation, input) => {
    const headers = { 'x-amz-target': `${target}.${operation}` };
    const { body } = await client.call('/', headers, JSON.stringify(input));
    return body === '' ? {} : read(body);
  };
}
