import { sign, verify } from 'hono/jwt';
import * as v from 'valibot';
import { type InstanceKey, isInstanceKey } from '../../core/event/event.ts';
import { isCustomerLinkId } from '../../core/status/customer-link.ts';

const algorithm = 'HS256';
/** Times are checked here, by our own clock. */
const withoutTimeChecks = { alg: algorithm, exp: false, nbf: false, iat: false } as const;

const claims = v.object({
  model: v.string(),
  transaction: v.string(),
  jti: v.pipe(v.string(), v.check(isCustomerLinkId)),
  exp: v.number(),
});

/** The link that a token belongs to. */
export interface LinkReference {
  readonly instance: InstanceKey;
  readonly id: string;
}

/**
 * A signed name of a link, a JSON Web Token: whoever has it may see the instance's status page, until the link
 * expires or is revoked.
 *
 * @param expiresAt milliseconds since 1970, of a whole second.
 */
export function signLinkToken(
  { instance: { model, transaction }, id }: LinkReference,
  expiresAt: number,
  key: string,
): Promise<string> {
  return sign({ model, transaction, jti: id, exp: expiresAt / 1000 }, key, algorithm);
}

/** The link that a token names; undefined if it is not one of ours, was altered, or has expired. */
export async function verifyLinkToken(
  token: string,
  now: number,
  key: string,
): Promise<LinkReference | undefined> {
  const payload = await verify(token, key, withoutTimeChecks).catch(() => undefined);
  const parsed = v.safeParse(claims, payload);
  if (!parsed.success || parsed.output.exp * 1000 <= now) return undefined;
  const { model, transaction, jti } = parsed.output;
  const instance = { model, transaction };
  return isInstanceKey(instance) ? { instance, id: jti } : undefined;
}
