import { afterEach, expect, it, vi } from 'vitest';
import { serviceOptions } from '../../../lambdas/support/service-options.ts';

afterEach(() => vi.unstubAllEnvs());

function within(variables: Record<string, string>) {
  const given = {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: '',
    AWS_ENDPOINT_URL: '',
    AWS_ENDPOINT_URL_DYNAMODB: '',
    ...variables,
  };
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value);
  return serviceOptions('dynamodb', 'DYNAMODB');
}

it.each([
  [{}, 'https://dynamodb.eu-west-1.amazonaws.com'],
  [{ AWS_REGION: 'cn-north-1' }, 'https://dynamodb.cn-north-1.amazonaws.com.cn'],
  [{ AWS_REGION: 'eusc-de-east-1' }, 'https://dynamodb.eusc-de-east-1.amazonaws.eu'],
  [{ AWS_USE_FIPS_ENDPOINT: 'true' }, 'https://dynamodb-fips.eu-west-1.amazonaws.com'],
  [{ AWS_ENDPOINT_URL: 'http://localhost:4566' }, 'http://localhost:4566'],
  [
    { AWS_ENDPOINT_URL: 'http://a', AWS_ENDPOINT_URL_DYNAMODB: 'http://localhost:8000' },
    'http://localhost:8000',
  ],
])('with the variables %o, the endpoint of DynamoDB is %s', (variables, endpoint) => {
  expect(within(variables).endpoint).toBe(endpoint);
});

it('serviceOptions returns the credentials that Lambda provides', () => {
  expect(within({ AWS_SESSION_TOKEN: 'token' })).toMatchObject({
    region: 'eu-west-1',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' },
  });
});
