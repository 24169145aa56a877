/**
 * A path of ours to come back to: where somebody was before they logged in. Nothing that leads to
 * another site.
 */
export function ownPath(path: string): string {
  // Browsers take a backslash for a slash; two slashes begin the name of a site.
  return /^\/(?![/\\])/.test(path) ? path : '/';
}

/** Whether an issuer sent the browser back here. */
export function isAnswer({ pathname, searchParams }: URL): boolean {
  const says = searchParams.has('code') || searchParams.has('error');
  return pathname === '/' && searchParams.has('state') && says;
}

/** Where an issuer sends browsers back to: it has to know this address, letter by letter. */
export const homeOf = ({ origin }: URL): string => `${origin}/`;

/** What people are called by: the first of these claims that there is. */
export function nameIn(claims: Readonly<Record<string, unknown>>): string {
  const names = ['name', 'preferred_username', 'email', 'cognito:username', 'sub'];
  const known = names.map((name) => claims[name]);
  return known.find((each) => typeof each === 'string' && each !== '') as string;
}

/**
 * Where one signs out at an issuer. Cognito has names of its own for what OpenID Connect has, and
 * each leaves the other's alone.
 *
 * @see https://openid.net/specs/openid-connect-rpinitiated-1_0.html
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/logout-endpoint.html
 */
export function signOutAddress(
  endpoint: string,
  { clientId, home, idToken }: { clientId: string; home: string; idToken: string },
): string {
  const address = new URL(endpoint);
  const said = { client_id: clientId, post_logout_redirect_uri: home, logout_uri: home };
  for (const [name, value] of Object.entries({ ...said, id_token_hint: idToken }))
    address.searchParams.set(name, value);
  return address.href;
}
