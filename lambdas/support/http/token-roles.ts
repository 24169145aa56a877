import {
  defaultRoleNames,
  type Role,
  type RoleNames,
  rolesOfClaim,
} from '../../../src/api/access/roles.ts';
import { optionalSetting } from '../settings.ts';
import { roleClaim } from './role-claim.ts';

/**
 * Creates the function that returns the roles that a caller's token grants. The created function returns undefined if
 * the API does not read roles from tokens. Reads `MILEPOST_ROLES_CLAIM` and `MILEPOST_ROLE_NAMES`.
 */
export function tokenRoles(): (env: unknown) => readonly Role[] | undefined {
  const claim = optionalSetting('MILEPOST_ROLES_CLAIM');
  if (claim === undefined) return () => undefined;
  const given = optionalSetting('MILEPOST_ROLE_NAMES');
  const names = given === undefined ? defaultRoleNames : (JSON.parse(given) as RoleNames);
  return (env) => rolesOfClaim(roleClaim(env, claim), names);
}
