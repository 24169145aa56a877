import { type Clock, systemClock } from '../../../common/clock.ts';
import { type HttpAnswer, httpPost } from './http-post.ts';
import { serviceErrorOf } from './service-error.ts';
import { type Credentials, Signer } from './signature.ts';
import { withRetries } from './with-retries.ts';

/** Where a service is, and who calls it. */
export interface ServiceOptions {
  readonly region: string;
  /** A URL without a path. */
  readonly endpoint: string;
  readonly credentials: Credentials;
  /** For the waits between attempts. Default: the machine's. */
  readonly clock?: Clock;
  /** The header by which X-Ray joins what is called to the trace of the caller. Default: none. */
  readonly traceHeader?: () => string | undefined;
}

/** How one service is spoken to. */
export interface ServiceProtocol {
  /** The name that requests are signed for. */
  readonly service: string;
  readonly contentType: string;
  /** How long a connection may be silent, in milliseconds; without it, for ever. */
  readonly socketTimeout?: number;
}

/**
 * Signed POST requests to one service of AWS, made again when they fail by something that passes.
 *
 * It does of the AWS SDK's work what a Lambda needs, in a fraction of its processor time and size
 * (docs/decisions/0007).
 */
export class ServiceClient {
  readonly #host: string;
  readonly #post: ReturnType<typeof httpPost>;
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
    this.#post = httpPost(url, patience);
    this.#signer = new Signer({ region, service });
    this.#contentType = contentType;
    this.#credentials = credentials;
    this.#clock = clock;
    this.#traceHeader = traceHeader;
  }

  /** @throws ServiceError what the service answered; Error where it could not be reached. */
  call(path: string, headers: Readonly<Record<string, string>>, body: string): Promise<HttpAnswer> {
    const request = {
      host: this.#host,
      path,
      headers: { ...headers, 'content-type': this.#contentType },
      body,
    };
    return withRetries(async () => {
      const signed = this.#signer.sign(request, this.#credentials, this.#clock.now());
      // Not signed: what passes it on may change it.
      const trace = this.#traceHeader?.();
      if (trace !== undefined) signed['x-amzn-trace-id'] = trace;
      const answer = await this.#post(path, signed, body);
      if (answer.status >= 300) throw serviceErrorOf(answer);
      return answer;
    }, this.#clock);
  }
}
