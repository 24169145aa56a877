import fc from 'fast-check';
import { sign } from 'hono/jwt';
import { describe, expect, it } from 'vitest';
import { roleClaim } from '../../../../lambdas/support/http/role-claim.ts';
import { type Role, type RoleNames, rolesOfClaim } from '../../../../src/api/access/roles.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../src/core/json/json.ts';

const caller = { iss: 'https://login.example.org', sub: 'ann', jti: 'token-1', exp: 1_900_000_000 };
const names: RoleNames = {
  viewer: ['viewer', 'milepost/read', 'true', '7'],
  operator: ['operator', 'Machine operator', 'milepost/write'],
};

/** Converts a claim to a string like the JWT authorizer of an HTTP API, which uses the format of Go's `%v`. */
function flattened(value: Json): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.map((each) => flattened(each as Json)).join(' ')}]`;
  if (!isJsonObject(value)) return value === null ? '<nil>' : JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) => `${name}:${flattened(each)}`);
  return `map[${members.join(' ')}]`;
}

const passedOn = (claims: JsonObject) =>
  Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, flattened(value)]));

const invoked = (claims: object, authorization?: string) => ({
  event: { headers: { authorization }, requestContext: { authorizer: { jwt: { claims } } } },
});

const tokenWith = (claims: JsonObject) =>
  sign({ ...caller, ...claims }, 'key of the issuer', 'HS256');

/** Returns the roles of a caller whose token has the given claims. */
async function rolesBy(name: string, claims: JsonObject): Promise<Role[]> {
  const env = invoked(passedOn({ ...caller, ...claims }), `Bearer ${await tokenWith(claims)}`);
  return rolesOfClaim(roleClaim(env, name), names);
}

/** Returns the roles of a caller without a token in the header. Only the authorizer's strings are known. */
const rolesByText = (name: string, claims: JsonObject): Role[] =>
  rolesOfClaim(roleClaim(invoked(passedOn({ ...caller, ...claims })), name), names);

const both: Role[] = ['viewer', 'operator'];

/**
 * Claims, the roles that they grant with the token, and the roles that they grant with only the authorizer's strings.
 */
const shapes: readonly [about: string, name: string, claims: JsonObject, Role[], byText: Role[]][] =
  [
    [
      'one Cognito group',
      'cognito:groups',
      { 'cognito:groups': ['operator'] },
      ['operator'],
      ['operator'],
    ],
    [
      'several Cognito groups',
      'cognito:groups',
      { 'cognito:groups': ['viewer', 'operator'] },
      both,
      [],
    ],
    ['no Cognito group', 'cognito:groups', {}, [], []],
    ['Okta groups', 'groups', { groups: ['Everyone', 'viewer'] }, ['viewer'], []],
    ['Entra ID app roles', 'roles', { roles: ['operator'] }, ['operator'], ['operator']],
    ['Entra ID group ids', 'groups', { groups: ['6fd1e2b5-0000-4000-8000-000000000000'] }, [], []],
    [
      'an Auth0 claim named by a URL',
      'https://example.com/roles',
      { 'https://example.com/roles': ['viewer'] },
      ['viewer'],
      ['viewer'],
    ],
    [
      'Auth0 permissions',
      'permissions',
      { permissions: ['milepost/read', 'milepost/write'] },
      both,
      [],
    ],
    [
      'Keycloak realm roles',
      '/realm_access/roles',
      { realm_access: { roles: ['uma', 'operator'] } },
      ['operator'],
      [],
    ],
    [
      'Keycloak client roles',
      '/resource_access/milepost/roles',
      { resource_access: { milepost: { roles: ['viewer'] } } },
      ['viewer'],
      [],
    ],
    [
      'a pointer to a name with a slash',
      '/https:~1~1a.example~1roles',
      { 'https://a.example/roles': ['viewer'] },
      ['viewer'],
      ['viewer'],
    ],
    [
      'a name with dots, which is not a path',
      'realm_access.roles',
      { realm_access: { roles: ['operator'] } },
      [],
      [],
    ],
    ['a name with dots', 'a.b', { 'a.b': ['viewer'] }, ['viewer'], ['viewer']],
    ['a string with one name', 'role', { role: 'operator' }, ['operator'], ['operator']],
    [
      'a string with spaces as one name',
      'role',
      { role: 'Machine operator' },
      ['operator'],
      ['operator'],
    ],
    ['a string of several words', 'role', { role: 'viewer operator' }, [], []],
    ['a string with commas', 'role', { role: 'viewer,operator' }, [], []],
    ['a string of JSON', 'role', { role: '["operator"]' }, [], []],
    ['a space-separated scope', 'scope', { scope: 'openid milepost/read' }, ['viewer'], ['viewer']],
    [
      'the space-separated scp of Entra ID',
      'scp',
      { scp: 'milepost/read milepost/write' },
      both,
      both,
    ],
    ['the scp of Okta, an array', 'scp', { scp: ['openid', 'milepost/read'] }, ['viewer'], []],
    [
      'a configured name with a space',
      'groups',
      { groups: ['Machine operator'] },
      ['operator'],
      [],
    ],
    [
      'the words of a configured name as separate names',
      'groups',
      { groups: ['Machine', 'operator'] },
      ['operator'],
      [],
    ],
    ['a role within a name', 'groups', { groups: ['Lead operator'] }, [], []],
    ['a role within a scope', 'scope', { scope: 'co-operator viewers' }, [], []],
    ['a name in brackets', 'role', { role: '[operator]' }, [], ['operator']],
    ['a name in a different case', 'groups', { groups: ['Operator'] }, [], []],
    ['an empty array', 'groups', { groups: [] }, [], []],
    ['an empty name', 'groups', { groups: [''] }, [], []],
    ['a nested array', 'groups', { groups: [['operator']] }, [], []],
    ['an array of names and numbers', 'groups', { groups: ['operator', 7] }, [], []],
    ['an object', 'groups', { groups: { operator: true } }, [], []],
    ['a member of an object', '/groups/operator', { groups: { operator: true } }, [], []],
    ['null', 'groups', { groups: null }, [], []],
    // The authorizer's strings of these claims look like names.
    ['a number', 'groups', { groups: 7 }, [], ['viewer']],
    ['true', 'groups', { groups: true }, [], ['viewer']],
    ['a member of Object.prototype', 'constructor', {}, [], []],
    [
      'a nested member of Object.prototype',
      '/realm_access/constructor/name',
      { realm_access: {} },
      [],
      [],
    ],
  ];

describe('the role claim of a token', () => {
  it.each(shapes)(
    'grants $3 for %s, and $4 without the token',
    async (_, name, claims, roles, byText) => {
      expect(await rolesBy(name, claims)).toEqual(roles);
      expect(rolesByText(name, claims)).toEqual(byText);
    },
  );

  it('does not match a role within the name of a group', () => {
    expect(rolesOfClaim('[Machine operator]')).toEqual([]);
    expect(rolesOfClaim('[viewer,operator]')).toEqual([]);
    expect(rolesOfClaim('[operator]')).toEqual(['operator']);
    expect(rolesOfClaim(['Machine operator'])).toEqual([]);
    expect(rolesOfClaim(['Machine', 'operator'])).toEqual(['operator']);
  });

  it('never grants more roles as a string than as an array', () => {
    const name = fc.oneof(
      fc.constantFrom('a', 'b', 'a b', '[a]', '[a', 'b]', '', ','),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(name), fc.array(name), (groups, operator) => {
        const granting = { viewer: [], operator };
        const byText = rolesOfClaim(flattened(groups), granting);
        expect(rolesOfClaim(groups, granting)).toEqual(expect.arrayContaining(byText));
      }),
    );
  });

  it("can be an array in the authorizer's claims", () => {
    const groups = ['Machine', 'operator'];
    expect(roleClaim(invoked({ ...caller, groups }), 'groups')).toEqual(groups);
  });

  it('is undefined without a JWT authorizer', () => {
    const authorizer = { iam: { accountId: '000000000000' } };
    expect(roleClaim({ event: { requestContext: { authorizer } } }, 'groups')).toBeUndefined();
    expect(roleClaim({ event: { requestContext: {} } }, 'groups')).toBeUndefined();
    expect(roleClaim({}, 'groups')).toBeUndefined();
  });
});

describe('the token in the authorization header', () => {
  const groups = ['Machine', 'operator'];
  const claims = passedOn({ ...caller, groups });
  const rolesWith = (authorization: string | undefined) =>
    rolesOfClaim(roleClaim(invoked(claims, authorization), 'groups'));

  it.each([
    ['after its scheme', (token: string) => `Bearer ${token}`],
    ['after its scheme in lowercase', (token: string) => `bearer ${token}`],
    ['without a scheme', (token: string) => token],
  ])('is read %s', async (_, header) => {
    expect(rolesWith(header(await tokenWith({ groups })))).toEqual(['operator']);
  });

  it.each<[string, (token: string) => string | Promise<string> | undefined]>([
    ['is missing', () => undefined],
    ['is empty', () => ''],
    ['is malformed', () => 'Bearer a.b.c'],
    ['has another scheme', (token) => `Basic ${token}`],
    ['is repeated', (token) => `Bearer ${token},Bearer ${token}`],
    ['belongs to another user', () => tokenWith({ groups, sub: 'eve' })],
    ['has another id', () => tokenWith({ groups, jti: 'token-2' })],
    ['has another issuer', () => tokenWith({ groups, iss: 'https://elsewhere.example.org' })],
    ['differs from the claims of the authorizer', () => tokenWith({ groups: ['operator'] })],
    ['lacks the claim', () => tokenWith({})],
  ])("grants no more roles than the authorizer's string if it %s", async (_, header) => {
    expect(rolesWith(await header(await tokenWith({ groups })))).toEqual([]);
  });

  it('grants no roles through a nested claim if it is not the token that the authorizer verified', async () => {
    const realm_access = { roles: ['operator'] };
    const env = invoked(passedOn(caller), await tokenWith({ realm_access, sub: 'eve' }));
    expect(roleClaim(env, '/realm_access/roles')).toBeUndefined();
  });
});
