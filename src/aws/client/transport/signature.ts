import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

/** Who calls: what Lambda gives a function by its environment. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Whose key signs, and for what. */
export interface SigningScope {
  readonly region: string;
  readonly service: string;
}

/** A POST request that is to be signed. */
export interface SignableRequest {
  readonly host: string;
  /** As it is sent. */
  readonly path: string;
  /** By name in lower case; all of them are signed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const algorithm = 'AWS4-HMAC-SHA256';

/**
 * Signs requests for a service with Signature Version 4. The key of a day is derived once.
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
   * The headers of the request with those that a signature takes.
   *
   * @param at now, in milliseconds since 1970.
   */
  sign(
    { host, path, headers, body }: SignableRequest,
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
    const canonical = `POST\n${canonicalPath(path)}\n\n${lines}\n${list}\n${hash('sha256', body)}`;
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

/** Each segment is encoded once more than it is on the wire, for every service but S3. */
const canonicalPath = (path: string) => path.split('/').map(encodeURIComponent).join('/');
