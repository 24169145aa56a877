import { defaultRoleNames, type RoleNames } from '../../src/api/access/roles.ts';
import { MilepostError } from '../../src/core/errors.ts';
import { pathIn } from '../../src/core/json/json-pointer.ts';

/**
 * The names of groups, roles or scopes that grant access to the HTTP API. They are compared whole and
 * case-sensitively. An operator may also do everything that a viewer may.
 */
export interface ApiRoles {
  /** Names that grant reading. @default ['viewer'] */
  readonly viewer?: readonly string[];
  /** Names that grant everything. @default ['operator'] */
  readonly operator?: readonly string[];
}

/** Where tokens have their callers' roles: the claim, and the names in it that grant each. */
export interface TokenRoles {
  readonly claim: string;
  readonly names: RoleNames;
}

/**
 * The roles of `apiTokens`, with defaults filled in.
 *
 * @throws MilepostError `bad-request` for a claim or a name that could never match, or a name that is given twice.
 */
export function rolesOf({
  rolesClaim = 'cognito:groups',
  roles = {},
}: {
  readonly rolesClaim?: string;
  readonly roles?: ApiRoles;
}): TokenRoles {
  if (rolesClaim === '' || (rolesClaim.startsWith('/') && !pathIn(rolesClaim)))
    throw new MilepostError(
      'bad-request',
      `apiTokens.rolesClaim must be the name of a claim, or a JSON Pointer such as /realm_access/roles; got "${rolesClaim}"`,
    );
  const { viewer = defaultRoleNames.viewer, operator = defaultRoleNames.operator } = roles;
  const names = { viewer, operator };
  for (const [role, given] of Object.entries(names))
    if (given.length === 0 || given.includes(''))
      throw new MilepostError(
        'bad-request',
        `apiTokens.roles.${role} must have at least one name, and no empty one; leave it out for "${role}"`,
      );
  const all = [...viewer, ...operator];
  const twice = all.find((name, index) => all.indexOf(name) < index);
  if (twice !== undefined)
    throw new MilepostError(
      'bad-request',
      `apiTokens.roles must have each name once; got "${twice}" twice. An operator may read, too.`,
    );
  return { claim: rolesClaim, names };
}
