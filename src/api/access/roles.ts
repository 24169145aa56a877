/**
 * What a caller may do: a viewer reads; an operator also redrives, deletes, rolls back, makes and revokes
 * links, and puts events.
 */
export type Role = 'viewer' | 'operator';

/** For each role, the names of the groups, roles or scopes that grant it. */
export type RoleNames = Readonly<Record<Role, readonly string[]>>;

/** The names that grant a role unless a tracker has names of its own. */
export const defaultRoleNames: RoleNames = { viewer: ['viewer'], operator: ['operator'] };

/**
 * The roles that a claim of a JSON Web Token grants. Names are compared whole and case-sensitively. Anything
 * but an array of strings or a string grants nothing.
 *
 * @param claim an array of names; or text as an HTTP API of AWS passes it on. It turns the array `["a", "b"]`
 *   into the text `[a b]`, which the single name `a b` becomes as well (`["a b"]`). Text that may be
 *   several names is ambiguous and grants nothing.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
export function rolesOfClaim(claim: unknown, names: RoleNames = defaultRoleNames): Role[] {
  const granted = typeof claim === 'string' ? namesInText(claim) : claim;
  if (!isListOfNames(granted)) return [];
  return (['viewer', 'operator'] as const).filter((role) =>
    names[role].some((name) => granted.includes(name)),
  );
}

/** Whether a value is an array of nothing but strings. */
export const isListOfNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

function namesInText(text: string): readonly string[] {
  if (!text.startsWith('[') || !text.endsWith(']')) return [text];
  const inner = text.slice(1, -1);
  return /^[^\s,]+$/.test(inner) ? [inner] : [];
}
