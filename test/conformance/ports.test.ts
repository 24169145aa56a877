import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createInvokeServer } from '../../src/aws-local/lambda/invoke-server.ts';
import { listen } from '../../src/aws-local/server/listen.ts';
import { CommandPort } from '../../src/conformance/command-port.ts';
import { InvokePort } from '../../src/conformance/invoke-port.ts';
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
    process.env['AWS_REGION'] ??= 'us-east-1';
    process.env['AWS_ACCESS_KEY_ID'] ??= 'local';
    process.env['AWS_SECRET_ACCESS_KEY'] ??= 'local';
    const port = new InvokePort('loans', server.url);
    expect(await port.invoke('{"n":1}')).toEqual({ kind: 'answered', text: '{"n":1}' });
    expect(await port.invoke('{"fail":"so"}')).toEqual({
      kind: 'failed',
      error: 'TypeError',
      message: 'so',
    });
    expect(await new InvokePort('others', server.url).invoke('{}')).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('not found'),
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
