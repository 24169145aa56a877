import { sign, verify } from 'hono/jwt';
import * as v from 'valibot';
import { type InstanceKey, isInstanceKey } from '../core/event.ts';

const algorithm = 'HS256';
/** Times are checked here, by our own clock. */
const unchecked = { alg: algorithm, exp: false, nbf: false, iat: false } as const;

const claims = v.object({ model: v.string(), transaction: v.string(), exp: v.number() });

/**
 * A signed name of an instance, a JSON Web Token: who has it may see the instance's status page.
 *
 * @param expiresAt milliseconds since 1970, of a whole second.
 */
export function tokenOf(
  { model, transaction }: InstanceKey,
  expiresAt: number,
  key: string,
): Promise<string> {
  return sign({ model, transaction, exp: expiresAt / 1000 }, key, algorithm);
}

/** The instance that a token names; undefined where it is none of ours, altered or expired. */
export async function instanceIn(
  token: string,
  now: number,
  key: string,
): Promise<InstanceKey | undefined> {
  const payload = await verify(token, key, unchecked).catch(() => undefined);
  const parsed = v.safeParse(claims, payload);
  if (!parsed.success || parsed.output.exp * 1000 <= now) return undefined;
  const { model, transaction } = parsed.output;
  return isInstanceKey({ model, transaction }) ? { model, transaction } : undefined;
}
