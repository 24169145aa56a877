import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import * as v from 'valibot';

/**
 * An error response of an endpoint. The error's `name` is its type in the response, such as `ExpiredIteratorException`.
 */
class EndpointResponseError extends Error {
  constructor(type: string, message = type) {
    super(message);
    this.name = type.slice(type.indexOf('#') + 1);
  }
}

/** The name of a service in signatures, its API version in the header `x-amz-target`, and its version of JSON. */
export interface EndpointService {
  readonly name: 'dynamodb' | 'kinesis';
  readonly target: string;
  readonly jsonVersion: '1.0' | '1.1';
}

const errorSchema = v.object({ __type: v.string(), message: v.optional(v.string()) });

/**
 * A client of a local endpoint, which does not verify signatures. A request takes about a third as much CPU time as
 * with the AWS SDK, and half as much as with `fetch`.
 */
export class EndpointClient {
  readonly #url: string;
  readonly #target: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string, { name, target, jsonVersion }: EndpointService) {
    this.#url = url;
    this.#target = target;
    this.#headers = {
      // The endpoint requires a signature, but does not verify it.
      authorization: `AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/${name}/aws4_request, SignedHeaders=host, Signature=none`,
      'content-type': `application/x-amz-json-${jsonVersion}`,
      'x-amz-date': '20260101T000000Z',
    };
  }

  /** Sends a request. @throws EndpointResponseError for an error response. */
  async send<Response>(operation: string, input: object, signal?: AbortSignal): Promise<Response> {
    const body = Buffer.from(JSON.stringify(input));
    const sent = request(this.#url, {
      agent: this.#agent,
      method: 'POST',
      headers: {
        ...this.#headers,
        'x-amz-target': `${this.#target}.${operation}`,
        'content-length': body.length,
      },
      signal,
    });
    // If the signal aborts after the response has started, the request emits this error, and reading the response
    // throws.
    sent.on('error', () => {});
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const output = await json(response);
    if (response.statusCode === 200) return output as Response;
    const { __type, message } = v.parse(errorSchema, output);
    throw new EndpointResponseError(__type, message);
  }
}
