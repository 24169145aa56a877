import { defaultRoleNames, type RoleNames } from '../../src/api/access/roles.ts';
import { MilepostError } from '../../src/core/errors.ts';
import { pathIn } from '../../src/core/json/json-pointer.ts';
import { isNames } from '../options/is-names.ts';
import { requireObject } from '../options/require-object.ts';
import { shown } from '../options/shown.ts';

/**
 * The names of groups, roles, or scopes that grant access to the HTTP API. Names must match exactly, including case. An
 * operator has all permissions of a viewer.
 */
export interface ApiRoles {
  /** Names that grant read access. @default ['viewer'] */
  readonly viewer?: readonly string[];
  /** Names that grant full access. @default ['operator'] */
  readonly operator?: readonly string[];
}

/** The token claim that contains the caller's roles, and the names that grant each role. */
export interface TokenRoles {
  readonly claim: string;
  readonly names: RoleNames;
}

/**
 * Returns the roles of `apiTokens`, with defaults for omitted settings.
 *
 * @throws MilepostError `bad-request` for a claim or name that can never match, or a duplicate name.
 */
export function rolesOf({
  rolesClaim = 'cognito:groups',
  roles = {},
}: {
  readonly rolesClaim?: string;
  readonly roles?: ApiRoles;
}): TokenRoles {
  if (
    typeof rolesClaim !== 'string' ||
    rolesClaim === '' ||
    (rolesClaim.startsWith('/') && !pathIn(rolesClaim))
  )
    throw new MilepostError(
      'bad-request',
      `\`apiTokens.rolesClaim\` must be a claim name or a JSON Pointer such as /realm_access/roles; got ${shown(rolesClaim)}`,
    );
  const example = "{ viewer: ['support'], operator: ['admins'] }";
  requireObject('`apiTokens.roles`', roles, example, ['viewer', 'operator']);
  const { viewer = defaultRoleNames.viewer, operator = defaultRoleNames.operator } = roles;
  const names = { viewer, operator };
  for (const [role, given] of Object.entries(names))
    if (!isNames(given))
      throw new MilepostError(
        'bad-request',
        `\`apiTokens.roles.${role}\` must be a list of one or more names, none of them empty; got ${shown(given)}; omit it to use the default "${role}"`,
      );
  const all = [...viewer, ...operator];
  const twice = all.find((name, index) => all.indexOf(name) < index);
  if (twice !== undefined)
    throw new MilepostError(
      'bad-request',
      `\`apiTokens.roles\` must contain each name only once; got "${twice}" twice. The operator role includes read access.`,
    );
  return { claim: rolesClaim, names };
}
