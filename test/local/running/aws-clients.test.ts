import { expect, it, vi } from 'vitest';
import { dynamoDbClient, kinesisClient } from '../../../src/local/running/aws-clients.ts';

it.each([
  ['Kinesis', kinesisClient],
  ['DynamoDB', dynamoDbClient],
])('the client for the local %s ignores settings for AWS in the environment', async (_, create) => {
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_USE_FIPS_ENDPOINT', 'true');
  vi.stubEnv('AWS_USE_DUALSTACK_ENDPOINT', 'true');
  const { config } = create('http://127.0.0.1:4567');
  expect(await config.region()).toBe('us-east-1');
  expect(await config.useFipsEndpoint()).toBe(false);
  expect(await config.useDualstackEndpoint()).toBe(false);
  vi.unstubAllEnvs();
});
