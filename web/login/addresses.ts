/** Returns the path to open after the login, or `/` if the given path could lead to another site. */
export function ownPath(path: string): string {
  // Browsers treat a backslash as a slash, and two slashes start a host name.
  return /^\/(?![/\\])/.test(path) ? path : '/';
}

/** Returns true if the address is a redirect from the issuer. */
export function isAnswer({ pathname, searchParams }: URL): boolean {
  const says = searchParams.has('code') || searchParams.has('error');
  return pathname === '/' && searchParams.has('state') && says;
}

/** Returns the redirect URI, which must be registered with the issuer exactly in this form. */
export const homeOf = ({ origin }: URL): string => `${origin}/`;

/** Returns the user's name from the most readable claim that is present. */
export function nameIn(claims: Readonly<Record<string, unknown>>): string {
  const names = ['name', 'preferred_username', 'email', 'cognito:username', 'sub'];
  const known = names.map((name) => claims[name]);
  return known.find((each) => typeof each === 'string' && each !== '') as string;
}

/**
 * Returns the address that logs the user out at the issuer. The address contains the parameters for both OpenID Connect
 * and Cognito. An issuer ignores parameters that it does not know.
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
