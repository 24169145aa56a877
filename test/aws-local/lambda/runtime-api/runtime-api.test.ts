import { describe, expect, it } from 'vitest';
import { programFor } from '../../../../src/aws-local/lambda/runtime-api/programs.ts';
import { bundle, define, hostOf, withTimeout } from '../bundles.ts';

/** The source of a minimal custom runtime, which runs the given code for each `event`. */
const runtime = (source: string) => `
const base = 'http://' + process.env.AWS_LAMBDA_RUNTIME_API + '/2018-06-01/runtime';
const post = (path, body, headers) => fetch(base + path, { method: 'POST', body, headers });
for (;;) {
  const next = await fetch(base + '/invocation/next');
  const id = next.headers.get('lambda-runtime-aws-request-id');
  const event = await next.json();
  const answer = (value) => post('/invocation/' + id + '/response', JSON.stringify(value));
  ${source}
}`;

const failing = `
const base = 'http://' + process.env.AWS_LAMBDA_RUNTIME_API + '/2018-06-01/runtime';
const headers = { 'lambda-runtime-function-error-type': 'Runtime.NoSuchModule' };
await fetch(base + '/init/error', { method: 'POST', headers, body: '{"errorMessage":"no model"}' });
process.exit(1);`;

async function started(source: string) {
  const codePath = await bundle(source, 'runtime.mjs');
  const bootstrap = [process.execPath, `${codePath}/runtime.mjs`];
  const lines: string[] = [];
  const definition = await define('f', '', {
    runtime: 'provided.al2023',
    codePath,
    bootstrap,
  });
  const timeout = withTimeout(definition);
  const host = hostOf([definition], { log: (line) => lines.push(line) });
  const invoke = async (payload: unknown) => {
    const { functionError, payload: text } = await host.invoke({
      functionName: 'f',
      payload: JSON.stringify(payload),
    });
    return { functionError, value: JSON.parse(text) as unknown };
  };
  return { host, invoke, lines, codePath, timeout };
}

describe('a function with a custom runtime', () => {
  it('handles invocations sequentially in one process, and its output is logged', async () => {
    const { invoke, lines } = await started(
      runtime("console.log('got', event.n); await answer({ n: event.n + 1, pid: process.pid });"),
    );
    const first = await invoke({ n: 1 });
    const second = await invoke({ n: 2 });
    expect([first, second]).toMatchObject([{ value: { n: 2 } }, { value: { n: 3 } }]);
    expect((first.value as { pid: number }).pid).toBe((second.value as { pid: number }).pid);
    await expect.poll(() => lines).toEqual(expect.arrayContaining(['got 1', 'got 2']));
  });

  it('has a connection without an idle timeout, so that it can be busy for any length of time', async () => {
    const { invoke } = await started(
      runtime("await answer({ keepAlive: next.headers.get('keep-alive') });"),
    );
    // The header would contain the number of seconds after which the server closes an idle connection.
    expect(await invoke({})).toMatchObject({ value: { keepAlive: null } });
  });

  it('receives the environment variables of Lambda, the deadline, and the ARN of the function', async () => {
    const { invoke, codePath } = await started(
      runtime(`const { _HANDLER, LAMBDA_TASK_ROOT, AWS_REGION } = process.env;
        const arn = next.headers.get('lambda-runtime-invoked-function-arn');
        const left = next.headers.get('lambda-runtime-deadline-ms') - Date.now();
        await answer({ _HANDLER, LAMBDA_TASK_ROOT, AWS_REGION, arn, inTime: left > 0 && left < 10_001 });`),
    );
    expect(await invoke({})).toMatchObject({
      value: {
        _HANDLER: 'index.handler',
        LAMBDA_TASK_ROOT: codePath,
        AWS_REGION: 'eu-west-1',
        arn: expect.stringMatching(/function:f$/),
        inTime: true,
      },
    });
  });

  it('can report a function error and continue', async () => {
    const { invoke } = await started(
      runtime(`if (event.n) await answer(event.n);
        else await post('/invocation/' + id + '/error', '{"errorType":"Odd","errorMessage":"no n"}');`),
    );
    expect(await invoke({})).toEqual({
      functionError: 'Unhandled',
      value: { errorType: 'Odd', errorMessage: 'no n' },
    });
    expect(await invoke({ n: 7 })).toMatchObject({ functionError: undefined, value: 7 });
  });

  it('fails the invocation if it exits or never responds, and the next invocation gets a new process', async () => {
    const { invoke, timeout } = await started(
      runtime(`if (event.how === 'exit') process.exit(3);
        if (event.how !== 'hang') await answer('well');
        else await new Promise(() => setInterval(() => {}, 1e6));`),
    );
    expect(await invoke({ how: 'exit' })).toMatchObject({
      functionError: 'Unhandled',
      value: { errorType: 'Runtime.ExitError', errorMessage: expect.stringContaining('status 3') },
    });
    expect(await invoke({})).toMatchObject({ value: 'well' });
    timeout.seconds = 0.5;
    expect(await invoke({ how: 'hang' })).toMatchObject({
      value: { errorType: 'Sandbox.Timedout' },
    });
    timeout.seconds = 10;
    expect(await invoke({})).toMatchObject({ value: 'well' });
  });

  it('can report why its initialization failed', async () => {
    const { invoke } = await started(failing);
    expect(await invoke({})).toEqual({
      functionError: 'Unhandled',
      value: { errorMessage: 'no model' },
    });
  });

  it('fails its invocations if its program is missing', async () => {
    const codePath = await bundle('');
    const bootstrap = [`${codePath}/nothing`];
    const host = hostOf([await define('f', '', { runtime: 'provided', codePath, bootstrap })]);
    const { functionError, payload } = await host.invoke({ functionName: 'f' });
    expect([functionError, payload]).toEqual(['Unhandled', expect.stringContaining('status 127')]);
  });
});

describe('programFor', () => {
  it('returns Node.js, a program in the code, or the reason why no program can run the function', () => {
    expect(programFor('nodejs24.x', '/code')).toEqual({ kind: 'node' });
    expect(programFor('provided.al2023', '/code')).toEqual({
      kind: 'program',
      bootstrap: ['/code/bootstrap'],
    });
    expect(programFor('java25', '/code')).toMatchObject({
      kind: 'none',
      reason: expect.stringContaining('java25'),
    });
    expect(programFor('python3.13', '/code', '/nowhere')).toMatchObject({
      kind: 'none',
      reason: 'its runtime is python3.13, but PATH has no python3; install Python 3',
    });
  });
});
