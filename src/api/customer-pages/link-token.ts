import { sign, verify } from 'hono/jwt';
import * as v from 'valibot';
import { type InstanceKey, isInstanceKey } from '../../core/event/event.ts';
import { isCustomerLinkId } from '../../core/status/customer-link.ts';

const algorithm = 'HS256';
/** Turns off the library's time checks because `verifyLinkToken` checks `exp` against the given time. */
const withoutTimeChecks = { alg: algorithm, exp: false, nbf: false, iat: false } as const;

const claims = v.object({
  model: v.string(),
  transaction: v.string(),
  jti: v.pipe(v.string(), v.check(isCustomerLinkId)),
  exp: v.number(),
});

/** The identity of a link, as contained in its token. */
export interface LinkReference {
  readonly instance: InstanceKey;
  readonly id: string;
}

/**
 * Signs a link as a JSON Web Token. Anyone with the token can see the instance's status page until the link
 * expires or is revoked.
 *
 * @param expiresAt milliseconds since 1970, a multiple of 1000.
 */
export function signLinkToken(
  { instance: { model, transaction }, id }: LinkReference,
  expiresAt: number,
  key: string,
): Promise<string> {
  return sign({ model, transaction, jti: id, exp: expiresAt / 1000 }, key, algorithm);
}

/**
 * Returns true if a token has exactly the form that `signLinkToken` returns. The library also accepts a signature with
 * padding or with different unused bits. Without this check, a link whose URL a firewall blocks would still work with
 * another form of the token.
 */
const isCanonical = (token: string): boolean =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

/** Returns the link that a token identifies, or undefined if the token is invalid or has expired. */
export async function verifyLinkToken(
  token: string,
  now: number,
  key: string,
): Promise<LinkReference | undefined> {
  if (!isCanonical(token)) return undefined;
  const payload = await verify(token, key, withoutTimeChecks).catch(() => undefined);
  const parsed = v.safeParse(claims, payload);
  if (!parsed.success || parsed.output.exp * 1000 <= now) return undefined;
  const { model, transaction, jti } = parsed.output;
  const instance = { model, transaction };
  return isInstanceKey(instance) ? { instance, id: jti } : undefined;
}
