import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

/** The AWS credentials that sign a request. Lambda provides a function's credentials in environment variables. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface SigningScope {
  readonly region: string;
  readonly service: string;
}

export interface SignableRequest {
  readonly method: 'DELETE' | 'GET' | 'POST';
  readonly host: string;
  /** The path as sent. */
  readonly path: string;
  /** The encoded query, sorted by name, without the question mark. Default: none. */
  readonly query?: string;
  /** The headers, by lowercase name, all of which are signed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const algorithm = 'AWS4-HMAC-SHA256';

/**
 * Signs requests to a service with Signature Version 4. Derives the signing key only when the date or the credentials
 * change.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export class Signer {
  readonly #scope: SigningScope;
  #key: { readonly of: string; readonly secret: KeyObject } | undefined;

  constructor(scope: SigningScope) {
    this.#scope = scope;
  }

  /**
   * Returns the request's headers, including its signature.
   *
   * @param at the current time in milliseconds since 1970.
   */
  sign(
    { method, host, path, query = '', headers, body }: SignableRequest,
    credentials: Credentials,
    at: number,
  ): Record<string, string> {
    const moment = `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
    const date = moment.slice(0, 8);
    const { accessKeyId, sessionToken } = credentials;
    const signed: Record<string, string> = { ...headers, host, 'x-amz-date': moment };
    if (sessionToken) signed['x-amz-security-token'] = sessionToken;
    const names = Object.keys(signed).toSorted();
    const list = names.join(';');
    const lines = names.map((name) => `${name}:${signed[name]}\n`).join('');
    const canonical = `${method}\n${canonicalPath(path)}\n${query}\n${lines}\n${list}\n${hash('sha256', body)}`;
    const { region, service } = this.#scope;
    const scope = `${date}/${region}/${service}/aws4_request`;
    const toSign = `${algorithm}\n${moment}\n${scope}\n${hash('sha256', canonical)}`;
    const key = this.#keyOf(date, credentials);
    const signature = createHmac('sha256', key).update(toSign).digest('hex');
    signed.authorization = `${algorithm} Credential=${accessKeyId}/${scope}, SignedHeaders=${list}, Signature=${signature}`;
    return signed;
  }

  #keyOf(date: string, { secretAccessKey }: Credentials): KeyObject {
    const of = date + secretAccessKey;
    if (this.#key?.of !== of) {
      const { region, service } = this.#scope;
      const parts = [date, region, service, 'aws4_request'];
      const bytes = parts.reduce(hmac, Buffer.from(`AWS4${secretAccessKey}`));
      this.#key = { of, secret: createSecretKey(bytes) };
    }
    return this.#key.secret;
  }
}

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Encodes each segment of the path a second time, as all services except S3 require. */
const canonicalPath = (path: string) => path.split('/').map(encodeURIComponent).join('/');
