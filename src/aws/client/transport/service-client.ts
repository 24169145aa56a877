import { type Clock, systemClock } from '../../../common/clock.ts';
import { requestsTo } from './connection-pool.ts';
import type { HttpAnswer, HttpRequest, SendRequest } from './http-message.ts';
import { encodeQuery, type QueryParameters } from './query.ts';
import { serviceErrorOf } from './service-error.ts';
import { type Credentials, Signer } from './signature.ts';
import { withRetries } from './with-retries.ts';

/** A service's address and the caller's credentials. */
export interface ServiceOptions {
  readonly region: string;
  /** A URL without a path. */
  readonly endpoint: string;
  readonly credentials: Credentials;
  /** The clock for signatures and for the delays between attempts. Default: the system clock. */
  readonly clock?: Clock;
  /** The X-Ray trace header that connects calls to the caller's trace. Default: none. */
  readonly traceHeader?: () => string | undefined;
}

/** The protocol that a service uses. */
export interface ServiceProtocol {
  /** The service name in signatures. */
  readonly service: string;
  readonly contentType: string;
  /** How long a connection can be inactive, in milliseconds. Default: unlimited. */
  readonly socketTimeout?: number;
}

/**
 * Sends signed requests to an AWS service and retries them after temporary failures.
 *
 * Implements the part of the AWS SDK that Milepost's functions need, with a fraction of the SDK's CPU time and size
 * (docs/decisions/0007).
 */
export class ServiceClient {
  readonly #host: string;
  readonly #send: SendRequest;
  readonly #signer: Signer;
  readonly #contentType: string;
  readonly #credentials: Credentials;
  readonly #clock: Clock;
  readonly #traceHeader: ServiceOptions['traceHeader'];

  constructor(
    { region, endpoint, credentials, clock = systemClock, traceHeader }: ServiceOptions,
    { service, contentType, socketTimeout: patience }: ServiceProtocol,
  ) {
    const url = new URL(endpoint);
    this.#host = url.host;
    this.#send = requestsTo(url, patience);
    this.#signer = new Signer({ region, service });
    this.#contentType = contentType;
    this.#credentials = credentials;
    this.#clock = clock;
    this.#traceHeader = traceHeader;
  }

  /**
   * Sends a POST request.
   *
   * @throws ServiceError for an error response; Error if the service could not be reached.
   */
  call(path: string, headers: Readonly<Record<string, string>>, body: string): Promise<HttpAnswer> {
    const all = { ...headers, 'content-type': this.#contentType };
    return this.#request({ method: 'POST', path, headers: all, body });
  }

  /**
   * Sends a `GET` request. Throws the same errors as `call`.
   *
   * @param query the query parameters. Default: none.
   */
  get(path: string, query?: QueryParameters): Promise<HttpAnswer> {
    return this.#request({ method: 'GET', path, headers: {}, body: '' }, query);
  }

  /** Sends a `DELETE` request. Throws the same errors as `call`. */
  delete(path: string, query?: QueryParameters): Promise<HttpAnswer> {
    return this.#request({ method: 'DELETE', path, headers: {}, body: '' }, query);
  }

  #request(
    { method, path: resource, headers, body }: HttpRequest,
    parameters?: QueryParameters,
  ): Promise<HttpAnswer> {
    const query = parameters && encodeQuery(parameters);
    const path = query ? `${resource}?${query}` : resource;
    const request = { method, host: this.#host, path: resource, query, headers, body };
    return withRetries(async () => {
      const signed = this.#signer.sign(request, this.#credentials, this.#clock.now());
      // The trace header is not signed because intermediaries may change it.
      const trace = this.#traceHeader?.();
      if (trace !== undefined) signed['x-amzn-trace-id'] = trace;
      const answer = await this.#send({ method, path, headers: signed, body });
      if (answer.status >= 300) throw serviceErrorOf(answer);
      return answer;
    }, this.#clock);
  }
}
