import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createInvokeServer } from '../../../src/aws-local/lambda/invoke-server.ts';
import type { LambdaHost } from '../../../src/aws-local/lambda/lambda-host.ts';
import { listen } from '../../../src/aws-local/server/listen.ts';
import { call, define, hostOf } from './bundles.ts';

const saying = (text: string) =>
  `export const handler = (_, { functionVersion, invokedFunctionArn }) =>
    ['${text}', functionVersion, invokedFunctionArn, process.env.AWS_LAMBDA_FUNCTION_VERSION];`;

const version = async (number: number) =>
  define('orders', saying(`code ${number}`), { version: String(number) });

let host: LambdaHost;
let arn: string;
beforeEach(async () => {
  const orders = await define('orders', saying('latest'));
  ({ arn } = orders);
  host = hostOf([orders]);
  host.defineVersions('orders', [await version(2), await version(1)]);
});

it('an invocation runs the code of the requested version, or the latest code without a version', async () => {
  expect((await call(host, `${arn}:1`)).result).toEqual(['code 1', '1', `${arn}:1`, '1']);
  expect((await call(host, 'orders:2')).result).toEqual(['code 2', '2', `${arn}:2`, '2']);
  const latest = ['latest', '$LATEST', arn, '$LATEST'];
  expect((await call(host, 'orders')).result).toEqual(latest);
  expect((await call(host, 'orders:1')).log).toMatch(/^START RequestId: [\w-]+ Version: 1$/m);
});

it('the AWS SDK finds a version by ARN or qualifier and receives status 404 for a missing version', async () => {
  const server = await listen(createInvokeServer(host), 0);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new LambdaClient({ endpoint: server.url, region: 'eu-west-1', credentials });
  onTestFinished(() => client.destroy());
  const invoke = (FunctionName: string, Qualifier?: string) =>
    client.send(new InvokeCommand({ FunctionName, Qualifier }));
  expect(await invoke(`${arn}:1`)).toMatchObject({ StatusCode: 200, ExecutedVersion: '1' });
  expect(await invoke('orders', '2')).toMatchObject({ StatusCode: 200, ExecutedVersion: '2' });
  expect(await invoke('orders')).toMatchObject({ ExecutedVersion: '$LATEST' });
  await expect(invoke(`${arn}:3`)).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message: `Function not found: ${arn}:3`,
    $metadata: { httpStatusCode: 404 },
  });
});

it('a version stays the same when its function changes, until the version is removed', async () => {
  host.define(await define('orders', saying('newer')));
  expect((await call(host, 'orders:1')).result).toContain('code 1');
  host.defineVersions('orders', [await version(3), await version(2)]);
  expect((await call(host, 'orders:3')).result).toContain('code 3');
  await expect(call(host, 'orders:1')).rejects.toMatchObject({ code: 'ResourceNotFoundException' });
  host.remove('orders');
  await expect(call(host, 'orders:2')).rejects.toMatchObject({ code: 'ResourceNotFoundException' });
});
