import * as oauth from 'oauth4webapi';
import type { LoginSettings } from '../../src/pages/insert-login-tag.ts';
import { homeOf, isAnswer, nameIn, ownPath, signOutAddress } from './addresses.ts';
import type { Login, LoginBrowser } from './login.ts';
import { type LoginAttempt, SessionValue, type Tokens } from './session-value.ts';

/** The timeout of a request to the issuer, in milliseconds. */
const issuerTimeoutMs = 20_000;

/**
 * A login with OpenID Connect for a public client, which uses an authorization code with PKCE and no client secret.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9700
 */
export class OidcLogin implements Login {
  readonly #settings: LoginSettings;
  readonly #place: LoginBrowser;
  readonly #over: () => void;
  readonly #client: oauth.Client;
  readonly #options: oauth.HttpRequestOptions<'GET' | 'POST', URLSearchParams | undefined>;
  readonly #attempt: SessionValue<LoginAttempt>;
  readonly #tokens: SessionValue<Tokens>;
  #issuer: Promise<oauth.AuthorizationServer> | undefined;
  #renewing: Promise<boolean> | undefined;

  /** @param over called when the API rejects the token and the token cannot be renewed. */
  constructor(settings: LoginSettings, place: LoginBrowser, over: () => void) {
    this.#settings = settings;
    this.#place = place;
    this.#over = over;
    this.#client = { client_id: settings.clientId };
    // Allow requests without TLS, because a local issuer for development has no certificate.
    this.#options = {
      [oauth.allowInsecureRequests]: isOnThisMachine(settings.issuer),
      [oauth.customFetch]: fetchFromIssuer,
    };
    this.#attempt = new SessionValue(place.storage, 'milepost.login');
    this.#tokens = new SessionValue(place.storage, 'milepost.tokens');
  }

  get userName(): string | undefined {
    return this.#tokens.value?.who;
  }

  async begin(): Promise<void> {
    const issuer = await this.#discover();
    if (!issuer.authorization_endpoint) throw new Error('the issuer has no authorization endpoint');
    const { pathname, search } = this.#place.url;
    const attempt: LoginAttempt = {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      verifier: oauth.generateRandomCodeVerifier(),
      back: ownPath(pathname + search),
    };
    this.#attempt.value = attempt;
    const { clientId, scope, parameters } = this.#settings;
    const address = new URL(issuer.authorization_endpoint);
    for (const [name, value] of Object.entries({
      ...parameters,
      response_type: 'code',
      client_id: clientId,
      redirect_uri: homeOf(this.#place.url),
      scope,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    }))
      address.searchParams.set(name, value);
    this.#place.go(address.href);
  }

  /**
   * Processes a redirect from the issuer, and returns to the page where the login started. Does nothing if the address
   * is not such a redirect.
   *
   * @throws Error if this window did not start the login, or if the issuer rejected the login or cannot be reached.
   */
  async finish(): Promise<void> {
    const { url } = this.#place;
    if (!isAnswer(url)) return;
    const attempt = this.#attempt.value;
    // A code works only once, so remove it from the address.
    this.#attempt.value = undefined;
    this.#place.show(attempt?.back ?? '/');
    if (!attempt) throw new Error('this window did not start a login');
    const issuer = await this.#discover();
    const client = this.#client;
    const answer = validAnswer(issuer, client, url, attempt.state);
    const response = await oauth.authorizationCodeGrantRequest(
      issuer,
      client,
      oauth.None(),
      answer,
      homeOf(url),
      attempt.verifier,
      this.#options,
    );
    const given = await oauth.processAuthorizationCodeResponse(issuer, client, response, {
      expectedNonce: attempt.nonce,
      requireIdToken: true,
    });
    this.#tokens.value = {
      access: given.access_token,
      refresh: given.refresh_token,
      id: given.id_token!,
      who: nameIn(oauth.getValidatedIdTokenClaims(given)!),
    };
  }

  readonly send = async (path: string, init: RequestInit): Promise<Response> => {
    const sent = this.#tokens.value;
    const response = await fetch(path, withToken(init, sent));
    if (response.status !== 401 || !sent) return response;
    const again =
      (await this.#renew(sent)) && (await fetch(path, withToken(init, this.#tokens.value)));
    if (again && again.status !== 401) return again;
    this.#tokens.value = undefined;
    this.#over();
    return again || response;
  };

  async end(): Promise<void> {
    const tokens = this.#tokens.value;
    this.#tokens.value = undefined;
    const home = homeOf(this.#place.url);
    // If the issuer cannot be reached, still log out in this window.
    const issuer = await this.#discover().catch(() => undefined);
    if (issuer && tokens?.refresh) await this.#revoke(issuer, tokens.refresh);
    const endpoint = issuer?.end_session_endpoint;
    const { clientId } = this.#settings;
    this.#place.go(
      endpoint && tokens ? signOutAddress(endpoint, { clientId, home, idToken: tokens.id }) : home,
    );
  }

  /**
   * Renews the token that the API rejected. Returns true if a newer token is available. Concurrent callers share one
   * request.
   */
  async #renew(sent: Tokens): Promise<boolean> {
    if (this.#tokens.value?.access !== sent.access) return this.#tokens.value !== undefined;
    this.#renewing ??= this.#refresh(sent).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #refresh(sent: Tokens): Promise<boolean> {
    if (!sent.refresh) return false;
    const issuer = await this.#discover();
    const response = await oauth.refreshTokenGrantRequest(
      issuer,
      this.#client,
      oauth.None(),
      sent.refresh,
      this.#options,
    );
    try {
      const given = await oauth.processRefreshTokenResponse(issuer, this.#client, response);
      // The user has logged out in the meantime.
      if (!this.#tokens.value) return false;
      this.#tokens.value = {
        ...sent,
        access: given.access_token,
        refresh: given.refresh_token ?? sent.refresh,
        id: given.id_token ?? sent.id,
      };
      return true;
    } catch (error) {
      if (error instanceof oauth.ResponseBodyError) return false;
      throw error;
    }
  }

  /**
   * Revokes a refresh token if the issuer supports this, because a logout at the issuer does not necessarily revoke it.
   *
   * @see https://docs.aws.amazon.com/cognito/latest/developerguide/revocation-endpoint.html
   */
  async #revoke(issuer: oauth.AuthorizationServer, token: string): Promise<void> {
    if (!issuer.revocation_endpoint) return;
    // If the request fails, still log out.
    await oauth
      .revocationRequest(issuer, this.#client, oauth.None(), token, this.#options)
      .catch(() => {});
  }

  #discover(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(this.#settings.issuer);
    this.#issuer ??= oauth
      .discoveryRequest(issuer, this.#options)
      .then((response) => oauth.processDiscoveryResponse(issuer, response))
      .catch((error: unknown) => {
        this.#issuer = undefined;
        throw error;
      });
    return this.#issuer;
  }
}

/**
 * Sends a request to the issuer, with a timeout. Without it, an issuer that does not respond would block the first page
 * and all requests whose token must be renewed.
 */
async function fetchFromIssuer(address: string, init: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(issuerTimeoutMs);
  try {
    return await fetch(address, { ...init, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error('the issuer does not respond', { cause: error });
  }
}

/** Validates the issuer's response. @throws Error with the issuer's description if the issuer rejected the login. */
function validAnswer(...given: Parameters<typeof oauth.validateAuthResponse>): URLSearchParams {
  try {
    return oauth.validateAuthResponse(...given);
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError)) throw error;
    throw new Error(error.error_description ?? error.error, { cause: error });
  }
}

function withToken(init: RequestInit, tokens: Tokens | undefined): RequestInit {
  if (!tokens) return init;
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${tokens.access}`);
  return { ...init, headers };
}

const isOnThisMachine = (issuer: string) =>
  ['127.0.0.1', 'localhost'].includes(new URL(issuer).hostname);
