import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listen } from '../../src/aws-local/server/listen.ts';
import { isAnswer, nameIn, ownPath, signOutAddress } from '../../web/login/addresses.ts';
import type { LoginBrowser } from '../../web/login/login.ts';
import { OidcLogin } from '../../web/login/oidc.ts';
import { Issuer, type User } from './issuer.ts';

const ann: User = { sub: 'u-1', email: 'ann@example.org', groups: ['viewer'] };
const home = 'https://pages.example.org';

/** A stand-in for the features of a browser window that a login uses. */
class Window implements LoginBrowser {
  readonly kept = new Map<string, string>();
  readonly storage = {
    getItem: (name: string) => this.kept.get(name) ?? null,
    setItem: (name: string, value: string) => void this.kept.set(name, value),
    removeItem: (name: string) => void this.kept.delete(name),
  };
  url: URL;
  over = 0;

  constructor(path: string) {
    this.url = new URL(path, home);
  }

  go(address: string): void {
    this.url = new URL(address);
  }

  show(path: string): void {
    this.url = new URL(path, this.url);
  }

  /** Follows the redirect at the current address of the window. */
  async follow(): Promise<void> {
    const { status, headers } = await fetch(this.url, { redirect: 'manual' });
    expect(status).toBe(302);
    this.url = new URL(headers.get('location')!);
  }
}

let issuer: Issuer;
beforeEach(async () => {
  issuer = await Issuer.start();
  issuer.redirectUris.push(`${home}/`);
  issuer.user = ann;
});
afterEach(() => issuer[Symbol.asyncDispose]());
afterEach(() => vi.restoreAllMocks());

/** Makes requests to the issuer exceed their time limit immediately. */
function stopIssuer(): void {
  issuer.responds = false;
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
}

function restartIssuer(): void {
  issuer.responds = true;
  vi.restoreAllMocks();
}

/** Creates the login of a page that the window has just loaded. */
const loginIn = (window: Window) =>
  new OidcLogin(
    {
      issuer: issuer.url,
      clientId: issuer.clientId,
      scope: 'openid email',
      parameters: { audience: 'the API' },
    },
    window,
    () => window.over++,
  );

/** Visits the issuer and follows its redirect back. */
async function visitIssuer(window: Window): Promise<OidcLogin> {
  await loginIn(window).begin();
  expect(window.url.origin).toBe(issuer.url);
  await window.follow();
  return loginIn(window);
}

/** Logs in through the issuer. */
async function logIn(path = '/') {
  const window = new Window(path);
  const login = await visitIssuer(window);
  await login.finish();
  return { window, login };
}

/** An API that accepts the issuer's tokens. */
async function api() {
  const server = createServer(({ headers }, response) => {
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    response.writeHead(issuer.claimsIn(token) ? 200 : 401).end();
  });
  return listen(server, 0);
}

describe('a login', () => {
  it("redirects to the issuer and back to the same page and provides the user's name", async () => {
    const window = new Window('/instances/tickets/a%2Fb?step=2');
    const login = await visitIssuer(window);
    expect(login.userName).toBeUndefined();
    expect(isAnswer(window.url)).toBe(true);
    await login.finish();
    expect(window.url.href).toBe(`${home}/instances/tickets/a%2Fb?step=2`);
    expect(login.userName).toBe('ann@example.org');
    // The session survives a reload.
    const again = loginIn(window);
    await again.finish();
    expect(again.userName).toBe('ann@example.org');
  });

  it('sends the configured parameters, and a new state, nonce, and PKCE challenge each time', async () => {
    const window = new Window('/');
    await loginIn(window).begin();
    const asked = Object.fromEntries(window.url.searchParams);
    expect(asked).toMatchObject({
      audience: 'the API',
      scope: 'openid email',
      response_type: 'code',
      redirect_uri: `${home}/`,
      code_challenge_method: 'S256',
      state: expect.stringMatching(/./),
      nonce: expect.stringMatching(/./),
      code_challenge: expect.stringMatching(/./),
    });
    await loginIn(window).begin();
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(window.url.searchParams.get(name)).not.toBe(asked[name]);
  });

  it('rejects a redirect from a login that this window did not start', async () => {
    const stranger = new Window('/');
    await visitIssuer(stranger);
    const window = new Window('/');
    window.url = stranger.url;
    await expect(loginIn(window).finish()).rejects.toThrow('did not start a login');
    expect(window.url.href).toBe(`${home}/`);

    await loginIn(window).begin();
    window.url = stranger.url;
    await expect(loginIn(window).finish()).rejects.toThrow('state');
    expect(issuer.grants).toEqual([]);
    expect(loginIn(window).userName).toBeUndefined();
  });

  it('rejects an identity token with the nonce of another login', async () => {
    issuer.nonce = 'of another';
    const login = await visitIssuer(new Window('/'));
    await expect(login.finish()).rejects.toThrow('nonce');
    expect(login.userName).toBeUndefined();
  });

  it('fails if the code verifier differs from the one that it generated', async () => {
    const window = new Window('/');
    const login = await visitIssuer(window);
    const attempt = window.kept.get('milepost.login')!;
    const other = JSON.parse(attempt) as { verifier: string };
    other.verifier = other.verifier.split('').toReversed().join('');
    window.kept.set('milepost.login', JSON.stringify(other));
    await expect(login.finish()).rejects.toThrow('error in the response');
    expect(issuer.grants).toEqual(['authorization_code']);
    expect(login.userName).toBeUndefined();
  });

  it('reports the error description from the issuer', async () => {
    issuer.user = undefined;
    const login = await visitIssuer(new Window('/models'));
    await expect(login.finish()).rejects.toThrow('Access denied by policy');
  });

  it("fails without leaving the page if the issuer's configuration cannot be read", async () => {
    const window = new Window('/');
    const login = new OidcLogin(
      { issuer: `${issuer.url}/none`, clientId: 'c', scope: 'openid', parameters: {} },
      window,
      () => {},
    );
    await expect(login.begin()).rejects.toThrow('unexpected HTTP status');
    expect(window.url.href).toBe(`${home}/`);
  });
});

describe('an issuer that does not respond', () => {
  it('makes the start of a login fail after a time limit', async () => {
    stopIssuer();
    await expect(loginIn(new Window('/')).begin()).rejects.toThrow('the issuer does not respond');
  });

  it('makes the end of a login fail after a time limit', async () => {
    const login = await visitIssuer(new Window('/'));
    stopIssuer();
    await expect(login.finish()).rejects.toThrow('the issuer does not respond');
  });

  it('makes a request fail if its token must be renewed, but does not end the session', async () => {
    issuer.givesRefreshTokens = true;
    await using served = await api();
    const { window, login } = await logIn();
    issuer.endTokens();
    stopIssuer();
    await expect(login.send(served.url, {})).rejects.toThrow('the issuer does not respond');
    restartIssuer();
    expect((await login.send(served.url, {})).status).toBe(200);
    expect(window.over).toBe(0);
  });

  it('does not prevent the user from logging out', async () => {
    const { window } = await logIn('/models');
    stopIssuer();
    await loginIn(window).end();
    expect(window.url.href).toBe(`${home}/`);
  });
});

describe('an API request from the pages', () => {
  it('contains the token and is repeated with a new token if the API rejects the first', async () => {
    issuer.givesRefreshTokens = true;
    await using served = await api();
    const { window, login } = await logIn();
    expect((await login.send(served.url, {})).status).toBe(200);
    for (const _ of [1, 2]) {
      issuer.endTokens();
      // Concurrent requests renew the token only once.
      const asked = [1, 2, 3].map(() => login.send(served.url, { method: 'POST' }));
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200]);
    }
    expect(issuer.grants).toEqual(['authorization_code', 'refresh_token', 'refresh_token']);
    expect(window.over).toBe(0);
  });

  it.each([true, false])(
    'ends the session if the token cannot be renewed (refresh tokens: %s)',
    async (givesRefreshTokens) => {
      issuer.givesRefreshTokens = givesRefreshTokens;
      await using served = await api();
      const { window, login } = await logIn();
      issuer.endTokens();
      issuer.endLogins();
      expect((await login.send(served.url, {})).status).toBe(401);
      expect(window.over).toBe(1);
      expect(login.userName).toBeUndefined();
      expect(loginIn(window).userName).toBeUndefined();
    },
  );
});

describe('a logout from the pages', () => {
  it('ends the session in the window and at the issuer', async () => {
    const { window, login } = await logIn('/models');
    await login.end();
    expect(window.url.origin).toBe(issuer.url);
    await window.follow();
    expect(window.url.href).toBe(`${home}/`);
    expect(issuer.signOut?.get('client_id')).toBe(issuer.clientId);
    expect([...window.kept]).toEqual([]);
  });

  it('revokes the refresh token', async () => {
    issuer.givesRefreshTokens = true;
    const { login } = await logIn();
    expect(issuer.logins).toBe(1);
    await login.end();
    expect(issuer.logins).toBe(0);
  });

  it('succeeds if the issuer cannot revoke tokens', async () => {
    issuer.givesRefreshTokens = true;
    issuer.revokesTokens = false;
    const { window, login } = await logIn();
    await login.end();
    await window.follow();
    expect(window.url.href).toBe(`${home}/`);
    expect([...window.kept]).toEqual([]);
  });

  it('succeeds if the issuer stops responding before the tokens are revoked', async () => {
    issuer.givesRefreshTokens = true;
    const { window, login } = await logIn();
    stopIssuer();
    await login.end();
    expect(window.url.origin).toBe(issuer.url);
    expect([...window.kept]).toEqual([]);
  });

  it('discards a token that arrives afterward', async () => {
    issuer.givesRefreshTokens = true;
    await using served = await api();
    const { window, login } = await logIn();
    issuer.endTokens();
    let ending: Promise<void> | undefined;
    const { fetch } = globalThis;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (address, init) => {
      const response = await fetch(address, init);
      if (response.url === `${issuer.url}/token`) ending = login.end();
      return response;
    });
    expect((await login.send(served.url, {})).status).toBe(401);
    await ending;
    expect(login.userName).toBeUndefined();
    expect([...window.kept]).toEqual([]);
  });

  it('also sends the return address in the parameter that Cognito expects', () => {
    const given = { clientId: 'c', home: `${home}/`, idToken: 't' };
    const address = new URL(signOutAddress('https://login.example.org/logout?a=b', given));
    expect(Object.fromEntries(address.searchParams)).toEqual({
      a: 'b',
      client_id: 'c',
      post_logout_redirect_uri: `${home}/`,
      logout_uri: `${home}/`,
      id_token_hint: 't',
    });
  });
});

describe('the helpers of a login', () => {
  it.each([
    ['/', '/'],
    ['/instances?q=//x', '/instances?q=//x'],
    ['//evil.example.org', '/'],
    ['/\\evil.example.org', '/'],
    ['https://evil.example.org', '/'],
    ['javascript:alert(1)', '/'],
    ['', '/'],
  ])('restrict the return address %j to %j', (path, own) => {
    expect(ownPath(path)).toBe(own);
  });

  it.each([
    ['/?code=c&state=s', true],
    ['/?error=e&state=s', true],
    ['/?code=c', false],
    ['/instances?code=c&state=s', false],
    ['/', false],
  ])('detect whether %s is a redirect from the issuer: %s', (path, is) => {
    expect(isAnswer(new URL(path, home))).toBe(is);
  });

  it('name a user by the most readable claim that is present', () => {
    expect(nameIn({ sub: 's', email: 'e', preferred_username: 'p', name: 'n' })).toBe('n');
    expect(nameIn({ sub: 's', email: 'e', preferred_username: 'p' })).toBe('p');
    expect(nameIn({ sub: 's', 'cognito:username': 'u', email: 'e' })).toBe('e');
    expect(nameIn({ sub: 's', 'cognito:username': 'u', email: '' })).toBe('u');
    expect(nameIn({ sub: 's' })).toBe('s');
  });
});
