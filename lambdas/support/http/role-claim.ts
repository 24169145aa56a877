import { decode } from 'hono/jwt';
import { isListOfNames } from '../../../src/api/access/roles.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/core/json/json.ts';
import { pathIn, valueAt } from '../../../src/core/json/json-pointer.ts';

/** The parts of an HTTP API's event that say who calls. */
interface CallerEvent {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly requestContext?: {
    readonly authorizer?: { readonly jwt?: { readonly claims?: JsonObject } };
  };
}

/** Claims whose text is a list of names with spaces between (RFC 8693, section 4.2; RFC 9068, section 2.2.3). */
const scopeClaims: readonly (string | undefined)[] = ['scope', 'scp'];
/** Claims that tell one token from another. They are text, which the authorizer passes on unchanged. */
const identity = ['iss', 'sub', 'jti'];

/**
 * Reads the claim that holds a caller's roles, for `rolesOfClaim`.
 *
 * The JWT authorizer of an HTTP API flattens arrays to text in which names with spaces are
 * ambiguous. It verified the very token in the `authorization` header, so the claim is read from
 * that token, where an array is an array. Its signature is not verified again: the token is used only if it
 * identifies itself as the authorizer's claims do, and its claim flattens to the authorizer's text.
 *
 * @param env what Hono passes on of the invocation.
 * @param name a claim's name, such as `cognito:groups` or `https://example.com/roles`; or, starting with a
 *   slash, the JSON Pointer (RFC 6901) of a nested one, such as `/realm_access/roles`.
 * @returns an array of names where that is certain, or the authorizer's text; undefined without a claim.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function roleClaim(env: unknown, name: string): unknown {
  const { event } = env as { event?: CallerEvent };
  const claims = event?.requestContext?.authorizer?.jwt?.claims;
  const path = name.startsWith('/') ? pathIn(name) : [name];
  if (!claims || !path) return undefined;
  const passedOn = valueAt(claims, path);
  const signed = valueAt(verifiedToken(event, claims), path);
  // A number or an object is text by now, too, and still no name.
  if (signed !== undefined && typeof signed !== 'string' && !isListOfNames(signed))
    return undefined;
  const isScope = scopeClaims.includes(path.at(-1));
  // The members of an object are not passed on by themselves.
  const isPassedOnAs = (text: string) => path.length > 1 || passedOn === text;
  if (typeof signed === 'string' && isPassedOnAs(signed))
    return isScope ? signed.split(' ') : [signed];
  if (isListOfNames(signed) && isPassedOnAs(`[${signed.join(' ')}]`)) return signed;
  const isPlainText = typeof passedOn === 'string' && !passedOn.startsWith('[');
  return isScope && isPlainText ? passedOn.split(' ') : passedOn;
}

/** The payload of the token in the header, if it is the one that the authorizer verified. */
function verifiedToken({ headers }: CallerEvent, claims: JsonObject): JsonObject | undefined {
  // Headers that were sent twice come joined by a comma, and are no token.
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
