import { expect, it } from 'vitest';
import { claimsIn } from '../../lambdas/support/claims.ts';

it('finds the claims of a token that was checked, and none where there was none', () => {
  const claims = { sub: 'ann', 'cognito:groups': '[viewer]' };
  const event = (authorizer: object) => ({ event: { requestContext: { authorizer } } });
  expect(claimsIn(event({ jwt: { claims, scopes: null } }))).toEqual(claims);
  expect(claimsIn(event({ iam: { accountId: '000000000000' } }))).toEqual({});
  expect(claimsIn({ event: { requestContext: {} } })).toEqual({});
});
