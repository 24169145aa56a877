import { expect, it } from 'vitest';
import { targetOf } from './support/target.ts';

const endpoint = { AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' };
const localstack = { MILEPOST_DEPLOY_TARGET: 'localstack' };
const aws = { MILEPOST_DEPLOY_TARGET: 'aws' };

it.each([
  ['ministack', {}],
  ['ministack', { MILEPOST_DEPLOY_TARGET: '' }],
  ['ministack', { MILEPOST_DEPLOY_TARGET: 'ministack', ...endpoint }],
  ['localstack', { ...localstack, ...endpoint }],
  ['aws', { ...aws, AWS_REGION: 'eu-central-1' }],
] as const)('the deployment target is %s with the variables %o', (target, variables) => {
  expect(targetOf(variables)).toBe(target);
});

it.each([
  [{ MILEPOST_DEPLOY_TARGET: 'AWS' }, 'must be one of ministack, localstack, aws; got "AWS"'],
  [localstack, 'requires AWS_ENDPOINT_URL'],
  [{ ...localstack, AWS_ENDPOINT_URL: '127.0.0.1:4566' }, 'requires AWS_ENDPOINT_URL'],
  [{ ...localstack, AWS_ENDPOINT_URL: 'http://127.0.0.1:4566/path' }, 'requires AWS_ENDPOINT_URL'],
  [aws, 'requires AWS_REGION'],
  [{ ...aws, ...endpoint, AWS_REGION: 'us-east-1' }, 'requires that AWS_ENDPOINT_URL is not set'],
])(
  'the deployment target is rejected with a one-line reason for the variables %o',
  (variables, reason) => {
    expect(() => targetOf(variables)).toThrow(reason);
    expect(() => targetOf(variables)).not.toThrow('\n');
  },
);
