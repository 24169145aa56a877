import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createInvokeServer } from '../../src/aws-local/lambda/invoke-server.ts';
import { listen } from '../../src/aws-local/server/listen.ts';
import { CommandPort } from '../../src/conformance/command-port.ts';
import { connectToFunction, InvokePort } from '../../src/conformance/invoke-port.ts';
import { readSamples } from '../../src/conformance/samples.ts';
import { bundle, define, hostOf } from '../aws-local/lambda/bundles.ts';

const echo = `
console.log('a word of its own');
const base = 'http://' + process.env.AWS_LAMBDA_RUNTIME_API + '/2018-06-01/runtime';
for (;;) {
  const next = await fetch(base + '/invocation/next');
  const id = next.headers.get('lambda-runtime-aws-request-id');
  const { fail, ...body } = await next.json();
  const what = fail ? 'error' : 'response';
  const answer = fail ? { errorType: 'Odd', errorMessage: fail } : { ...body, who: process.env.WHO };
  await fetch(base + '/invocation/' + id + '/' + what, { method: 'POST', body: JSON.stringify(answer) });
}`;

describe('the function that a conformance test calls', () => {
  it("can be a command that implements the Runtime API, with the caller's environment variables", async () => {
    const file = join(await bundle(echo, 'echo.mjs'), 'echo.mjs');
    const lines: string[] = [];
    const env = { ...process.env, WHO: 'me' };
    const options = { env, timeoutSeconds: 10, log: (line: string) => lines.push(line) };
    await using port = new CommandPort({ command: `'${process.execPath}' ${file}` }, options);
    expect(await port.invoke('{"n":1}')).toEqual({ kind: 'answered', text: '{"n":1,"who":"me"}' });
    expect(await port.invoke('{"fail":"so"}')).toEqual({
      kind: 'failed',
      error: 'Odd',
      message: 'so',
    });
    expect(lines).toEqual(['a word of its own']);
  });

  it('can be a Lambda function that is called through the Invoke API', async () => {
    const source = `export const handler = ({ fail, ...rest }) => {
      if (fail) throw new TypeError(fail);
      return rest;
    };`;
    const host = hostOf([await define('loans', source)]);
    await using server = await listen(createInvokeServer(host), 0);
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const config = { endpoint: server.url, region: 'us-east-1', credentials };
    const port = new InvokePort('loans', config);
    expect(await port.invoke('{"n":1}')).toEqual({ kind: 'answered', text: '{"n":1}' });
    expect(await port.invoke('{"fail":"so"}')).toEqual({
      kind: 'failed',
      error: 'TypeError',
      message: 'so',
    });
    expect(await new InvokePort('others', config).invoke('{}')).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('not found'),
    });
  });
});

describe('a deployed function', () => {
  const endpoint = 'http://127.0.0.1:9';
  beforeEach(() => {
    for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE', 'AWS_ACCESS_KEY_ID'])
      vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_CONFIG_FILE', '/nowhere/config');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere/credentials');
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  function stubCredentials() {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  }

  it.each([
    ['at another endpoint', { function: 'loans', endpoint }, {}],
    ['with its ARN', { function: 'arn:aws:lambda:eu-central-1:123456789012:function:loans' }, {}],
    ["with the AWS CLI's variable", { function: 'loans' }, { AWS_DEFAULT_REGION: 'eu-west-1' }],
  ])('%s does not need AWS_REGION', async (_, target, env) => {
    stubCredentials();
    expect(await connectToFunction(target, env)).toBeInstanceOf(InvokePort);
  });

  it('requires a region', async () => {
    stubCredentials();
    await expect(connectToFunction({ function: 'loans' }, {})).rejects.toMatchObject({
      code: 'bad-request',
      message:
        "the region of the function is missing: set AWS_REGION, or specify the function's ARN",
    });
  });

  it('requires credentials', async () => {
    await expect(connectToFunction({ function: 'loans', endpoint }, {})).rejects.toMatchObject({
      code: 'bad-request',
      message: expect.stringMatching(/credentials.*: set AWS_PROFILE, or AWS_ACCESS_KEY_ID/),
    });
  });
});

describe('the samples file of a conformance test', () => {
  it.each([
    ['{', 'not JSON'],
    ['{}', 'histories'],
    ['{"histories":[]}', 'histories'],
    ['{"histories":[{"name":"x","events":[{"type":"a","expects":{}}]}]}', 'events.0'],
    ['{"histories":[{"name":"x","events":[{"type":"a","data":12345678901234567890}]}]}', 'number'],
    ['{"histories":[{"name":"x","events":[{"type":"a","time":"soon"}]}]}', 'got "soon"'],
  ])('is rejected if its content is %s', async (text, reason) => {
    const file = join(await bundle('', 'x'), 'samples.json');
    await writeFile(file, text);
    await expect(readSamples(file)).rejects.toMatchObject({
      code: 'bad-request',
      message: expect.stringContaining(reason),
    });
  });

  it('must exist', async () => {
    await expect(readSamples('/nowhere/samples.json')).rejects.toMatchObject({
      code: 'bad-request',
    });
  });
});
