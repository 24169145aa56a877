import { describe, expect, it } from 'vitest';
import { callerOf } from '../../../../lambdas/support/http/caller.ts';

const invoked = (authorizer: object | undefined) => ({ event: { requestContext: { authorizer } } });

describe('the caller of an HTTP API', () => {
  it('is identified by the claims of its token', () => {
    const claims = {
      sub: 'u-1',
      email: 'ann@example.com',
      'cognito:username': 'ann',
      aud: 'client',
      exp: 1_900_000_000,
      username: 7,
    };
    expect(callerOf(invoked({ jwt: { claims } }))).toEqual({
      sub: 'u-1',
      email: 'ann@example.com',
      'cognito:username': 'ann',
    });
  });

  it('is identified by the ARN of its IAM principal', () => {
    const userArn = 'arn:aws:sts::000000000000:assumed-role/operators/ann';
    expect(callerOf(invoked({ iam: { userArn, accessKey: 'AKIA' } }))).toEqual({ arn: userArn });
  });

  it.each([
    ['without an authorizer', invoked(undefined)],
    ['without claims that identify it', invoked({ jwt: { claims: { aud: 'client' } } })],
    ['outside of a Lambda function', {}],
  ])('is unknown %s', (_, env) => {
    expect(callerOf(env)).toBeUndefined();
  });
});
