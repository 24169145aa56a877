import { decode } from 'hono/jwt';
import { isListOfNames } from '../../../src/api/access/roles.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/core/json/json.ts';
import { pathIn, valueAt } from '../../../src/core/json/json-pointer.ts';

/** The parts of an HTTP API's event that identify the caller. */
interface CallerEvent {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly requestContext?: {
    readonly authorizer?: { readonly jwt?: { readonly claims?: JsonObject } };
  };
}

/** The claims that contain a space-separated list of names (RFC 8693, section 4.2; RFC 9068, section 2.2.3). */
const scopeClaims: readonly (string | undefined)[] = ['scope', 'scp'];
/** The claims that identify a token. These claims are strings, so the authorizer forwards them unchanged. */
const identity = ['iss', 'sub', 'jti'];

/**
 * Reads the claim with the caller's roles, which `rolesOfClaim` interprets.
 *
 * The JWT authorizer of an HTTP API flattens arrays to strings, in which names with spaces are ambiguous. The claim is
 * therefore read from the token in the `authorization` header, which the authorizer has verified and which preserves
 * arrays. The signature is not verified a second time. Instead, the token is used only if its identity equals the
 * identity in the authorizer's claims, and if its claim flattens to the authorizer's string.
 *
 * @param env the bindings that Hono forwards from the invocation.
 * @param name the name of a claim, such as `cognito:groups` or `https://example.com/roles`; or, with a leading slash,
 *   the JSON Pointer (RFC 6901) of a nested claim, such as `/realm_access/roles`.
 * @returns an array of names if the names are unambiguous, otherwise the authorizer's string; undefined if there is no
 *   claim or it contains no names.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function roleClaim(env: unknown, name: string): unknown {
  const { event } = env as { event?: CallerEvent };
  const claims = event?.requestContext?.authorizer?.jwt?.claims;
  const path = name.startsWith('/') ? pathIn(name) : [name];
  if (!claims || !path) return undefined;
  const forwarded = valueAt(claims, path);
  const signed = valueAt(verifiedToken(event, claims), path);
  // The authorizer also flattens numbers and objects to strings, but numbers and objects are not names.
  if (signed !== undefined && typeof signed !== 'string' && !isListOfNames(signed))
    return undefined;
  const isScope = scopeClaims.includes(path.at(-1));
  // The authorizer does not forward the members of an object individually.
  const isForwardedAs = (text: string) => path.length > 1 || forwarded === text;
  if (typeof signed === 'string' && isForwardedAs(signed))
    return isScope ? signed.split(' ') : [signed];
  if (isListOfNames(signed) && isForwardedAs(`[${signed.join(' ')}]`)) return signed;
  const isPlainText = typeof forwarded === 'string' && !forwarded.startsWith('[');
  return isScope && isPlainText ? forwarded.split(' ') : forwarded;
}

/** Returns the payload of the token in the header, if the authorizer verified the same token. */
function verifiedToken({ headers }: CallerEvent, claims: JsonObject): JsonObject | undefined {
  // Repeated headers are joined with a comma, which the pattern does not match.
  const [, token] =
    /^(?:Bearer )?([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(headers?.authorization ?? '') ?? [];
  const payload = token === undefined ? undefined : payloadOf(token);
  const isSame = identity.every((each) => payload?.[each] === claims[each]);
  return isSame && typeof claims.iss === 'string' ? payload : undefined;
}

function payloadOf(token: string): JsonObject | undefined {
  try {
    const payload = decode(token).payload as Json;
    return isJsonObject(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}
