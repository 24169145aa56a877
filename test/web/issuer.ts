import { createHash, generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen, type RunningServer } from '../../src/aws-local/server/listen.ts';

type Claims = Readonly<Record<string, unknown>>;

export interface User {
  readonly sub: string;
  readonly email: string;
  readonly groups: readonly string[];
}

interface Code {
  readonly user: User;
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
}

const base64 = (data: string | Buffer) => Buffer.from(data).toString('base64url');

/**
 * A small OpenID Connect issuer with one public client, which rejects the same requests as a real issuer. It logs in
 * every visitor as `user`.
 */
export class Issuer implements AsyncDisposable {
  readonly clientId = 'the-pages';
  /** The registered redirect URIs of the client. */
  readonly redirectUris: string[] = [];
  /** The user that the issuer logs in, or undefined if it denies access. */
  user: User | undefined;
  givesRefreshTokens = false;
  /** False if the issuer has no revocation endpoint. */
  revokesTokens = true;
  /** False if requests receive no response. */
  responds = true;
  /** The nonce in identity tokens. Default: the nonce of the login request. */
  nonce: string | undefined;
  /** The grant type of each token request, in order. */
  readonly grants: string[] = [];
  /** The latest logout request. */
  signOut: URLSearchParams | undefined;
  readonly #listening: RunningServer;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #codes = new Map<string, Code>();
  readonly #refreshTokens = new Map<string, User>();
  readonly #good = new Set<string>();

  private constructor(listening: RunningServer) {
    this.#listening = listening;
  }

  static async start(): Promise<Issuer> {
    const server = createServer((request, response) => {
      issuer.#answer(request, response).catch((error: unknown) => {
        response.writeHead(400, { 'access-control-allow-origin': '*' }).end(String(error));
      });
    });
    const issuer = new Issuer(await listen(server, 0));
    return issuer;
  }

  get url(): string {
    return this.#listening.url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listening[Symbol.asyncDispose]();
  }

  /** Invalidates all access tokens issued so far. */
  endTokens(): void {
    this.#good.clear();
  }

  /** Invalidates all refresh tokens issued so far. */
  endLogins(): void {
    this.#refreshTokens.clear();
  }

  /** The number of refresh tokens that are valid. */
  get logins(): number {
    return this.#refreshTokens.size;
  }

  /** Returns the claims of an access token, or undefined if the token is not valid. */
  claimsIn(token: string): Claims | undefined {
    const [header, payload, signature] = token.split('.');
    const signed = verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      { key: this.#keys.publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature ?? '', 'base64url'),
    );
    if (!signed || !this.#good.has(token)) return undefined;
    return JSON.parse(Buffer.from(payload!, 'base64url').toString()) as Claims;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.responds) return;
    const { pathname, searchParams } = new URL(request.url!, this.url);
    const go = (to: URL) => response.writeHead(302, { location: to.href }).end();
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return say(response, this.#description);
      case '/authorize':
        return void go(this.#authorize(searchParams));
      case '/token': {
        const form = await formIn(request);
        this.grants.push(must(form, 'grant_type'));
        return say(response, this.#tokens(form));
      }
      case '/revoke': {
        const form = await formIn(request);
        check(must(form, 'client_id') === this.clientId, 'client_id');
        this.#refreshTokens.delete(must(form, 'token'));
        return say(response, {});
      }
      case '/logout':
        this.signOut = searchParams;
        return void go(this.#home(must(searchParams, 'post_logout_redirect_uri')));
      default:
        response.writeHead(404).end();
    }
  }

  get #description(): object {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      end_session_endpoint: `${this.url}/logout`,
      ...(this.revokesTokens && { revocation_endpoint: `${this.url}/revoke` }),
      id_token_signing_alg_values_supported: ['ES256'],
    };
  }

  #home(uri: string): URL {
    if (!this.redirectUris.includes(uri))
      throw new Error(`the redirect URI ${uri} is not registered`);
    return new URL(uri);
  }

  #authorize(asked: URLSearchParams): URL {
    const redirectUri = must(asked, 'redirect_uri');
    const back = this.#home(redirectUri);
    check(must(asked, 'client_id') === this.clientId, 'client_id');
    check(must(asked, 'response_type') === 'code', 'response_type');
    check(must(asked, 'code_challenge_method') === 'S256', 'code_challenge_method');
    check(must(asked, 'scope').split(' ').includes('openid'), 'scope');
    back.searchParams.set('state', must(asked, 'state'));
    const { user } = this;
    if (!user) {
      back.searchParams.set('error', 'access_denied');
      back.searchParams.set('error_description', 'Access denied by policy');
      return back;
    }
    const code = randomUUID();
    this.#codes.set(code, {
      user,
      redirectUri,
      challenge: must(asked, 'code_challenge'),
      nonce: must(asked, 'nonce'),
    });
    back.searchParams.set('code', code);
    return back;
  }

  #tokens(form: URLSearchParams): object | undefined {
    if (form.get('client_id') !== this.clientId) return undefined;
    if (form.get('grant_type') === 'refresh_token') {
      const token = must(form, 'refresh_token');
      const user = this.#refreshTokens.get(token);
      // A refresh token is valid only once.
      this.#refreshTokens.delete(token);
      return user && this.#given(user, undefined);
    }
    const code = this.#codes.get(must(form, 'code'));
    this.#codes.delete(must(form, 'code'));
    const challenge = createHash('sha256').update(must(form, 'code_verifier')).digest('base64url');
    if (code?.challenge !== challenge || code.redirectUri !== form.get('redirect_uri'))
      return undefined;
    return this.#given(code.user, this.nonce ?? code.nonce);
  }

  #given({ sub, email, groups }: User, nonce: string | undefined): object {
    const access = this.#signed({ sub, client_id: this.clientId, 'cognito:groups': groups });
    this.#good.add(access);
    const refresh = randomUUID();
    if (this.givesRefreshTokens) this.#refreshTokens.set(refresh, { sub, email, groups });
    return {
      access_token: access,
      token_type: 'Bearer',
      expires_in: 3600,
      id_token: this.#signed({ sub, email, aud: this.clientId, ...(nonce && { nonce }) }),
      ...(this.givesRefreshTokens && { refresh_token: refresh }),
    };
  }

  #signed(claims: Claims): string {
    const iat = Math.floor(Date.now() / 1000);
    const all = { iss: this.url, iat, exp: iat + 3600, jti: randomUUID(), ...claims };
    const text = `${base64('{"alg":"ES256","typ":"JWT"}')}.${base64(JSON.stringify(all))}`;
    const key = { key: this.#keys.privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${text}.${base64(sign('sha256', Buffer.from(text), key))}`;
  }
}

async function formIn(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

function say(response: ServerResponse, body: object | undefined): void {
  response.writeHead(body ? 200 : 400, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    // Browsers send requests from other origins.
    'access-control-allow-origin': '*',
  });
  response.end(JSON.stringify(body ?? { error: 'invalid_grant' }));
}

function must(given: URLSearchParams, name: string): string {
  const value = given.get(name);
  if (!value) throw new Error(`${name} is missing`);
  return value;
}

function check(holds: boolean, name: string): void {
  if (!holds) throw new Error(`${name} is wrong`);
}
