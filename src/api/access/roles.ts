/**
 * A caller's permissions: a viewer can only read; an operator can also send events, redrive, rebuild, delete dead
 * letters, roll models back, create and revoke links, and destroy personal data.
 */
export const allRoles = ['viewer', 'operator'] as const;

/** One of a caller's permissions: see `allRoles`. */
export type Role = (typeof allRoles)[number];

/** The groups, roles, or scopes in a token that grant each of Milepost's roles. */
export type RoleNames = Readonly<Record<Role, readonly string[]>>;

/** The names that grant each role unless the tracker configures other names. */
export const defaultRoleNames: RoleNames = { viewer: ['viewer'], operator: ['operator'] };

/**
 * Returns the roles that a claim of a JSON Web Token grants. Names are case-sensitive and must match entirely. A claim
 * that is neither a string nor an array of strings grants nothing.
 *
 * @param claim an array of names, or a string from an API Gateway HTTP API. The gateway turns both `["a", "b"]`
 *   and `["a b"]` into the string `[a b]`, so a string that may contain several names is ambiguous and grants
 *   nothing.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
export function rolesOfClaim(claim: unknown, names: RoleNames = defaultRoleNames): Role[] {
  const granted = typeof claim === 'string' ? namesInText(claim) : claim;
  if (!isListOfNames(granted)) return [];
  return allRoles.filter((role) => names[role].some((name) => granted.includes(name)));
}

/** Returns true if a value is an array of strings. */
export const isListOfNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

function namesInText(text: string): readonly string[] {
  if (!text.startsWith('[') || !text.endsWith(']')) return [text];
  const inner = text.slice(1, -1);
  return /^[^\s,]+$/.test(inner) ? [inner] : [];
}
