import { describe, expect, it } from 'vitest';
import { ExecutionEnvironment } from '../../../src/local/lambda/execution-environment.ts';
import { bundle, call, define, hostOf } from './bundles.ts';

const fine = 'export const handler = async () => "fine";';

/** What one invocation of this function gives. */
async function invokeOnce(
  source: string,
  settings: Parameters<typeof define>[2] = {},
): Promise<Awaited<ReturnType<typeof call>>> {
  return call(hostOf([await define('f', source, settings)]), 'f');
}

describe('loading a function', () => {
  it('reports what its module throws, and tries again for each invocation', async () => {
    const source =
      'console.log("loading"); throw new RangeError("no table"); export const handler = 1;';
    const host = hostOf([await define('f', source)]);
    const { result, functionError, log } = await call(host, 'f');
    expect(functionError).toBe('Unhandled');
    expect(result).toMatchObject({ errorType: 'RangeError', errorMessage: 'no table' });
    expect(log).toMatch(/\tINFO\tloading\n/);
    expect(log).toMatch(/\tERROR\tInit Error \t\{"errorType":"RangeError"/);
    expect(log).toMatch(/INIT_REPORT Init Duration: .*Status: error\tError Type: RangeError/);
    await call(host, 'f');
    expect(host.statistics().f).toMatchObject({ invocations: 2, errors: 2, coldStarts: 2 });
  });

  it.each([
    [
      'no such export',
      'export const other = 1;',
      {},
      'HandlerNotFound',
      'index.handler is undefined or not exported',
    ],
    [
      'no function',
      'export const handler = 1;',
      {},
      'HandlerNotFound',
      'index.handler is not a function',
    ],
    [
      'no such file',
      fine,
      { handler: 'main.handler' },
      'ImportModuleError',
      "Error: Cannot find module 'main'",
    ],
    ['a handler without a dot', fine, { handler: 'index' }, 'MalformedHandlerName', 'Bad handler'],
    [
      'not JavaScript',
      'export const = 1',
      {},
      'UserCodeSyntaxError',
      "SyntaxError: Unexpected token '='",
    ],
  ])('names what is wrong: %s', async (_what, source, settings, errorType, errorMessage) => {
    expect((await invokeOnce(source, settings)).result).toMatchObject({
      errorType: `Runtime.${errorType}`,
      errorMessage,
    });
  });

  it('refuses a callback handler, as Node.js 24 on Lambda does', async () => {
    const source = 'export const handler = (event, context, callback) => callback(null, 1);';
    expect((await invokeOnce(source)).result).toMatchObject({
      errorType: 'Runtime.CallbackHandlerDeprecated',
      errorMessage: expect.stringMatching(/^ERROR: AWS Lambda has removed support for callback/),
    });
  });

  it('finds a handler in a folder, deep in an export, and in a default export', async () => {
    expect(
      (await invokeOnce('export const api = { get: () => "deep" };', { handler: 'index.api.get' }))
        .result,
    ).toBe('deep');
    expect((await invokeOnce('export default { handler: () => "default" };')).result).toBe(
      'default',
    );
    const codePath = await bundle('exports.handler = () => "common";', 'index.cjs');
    expect((await invokeOnce('', { codePath })).result).toBe('common');
  });

  it('ends a process.exit while it loads', async () => {
    expect((await invokeOnce('process.exit(7); export const handler = 1;')).result).toMatchObject({
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringContaining('exit status 7'),
    });
  });

  it('ends a module that takes too long', async () => {
    const definition = await define('f', 'for (;;);', { timeoutSeconds: 3 });
    const environment = new ExecutionEnvironment(definition, {}, () => {}, 300);
    const outcome = await environment.invoke({
      requestId: 'r',
      invokedFunctionArn: '',
      payload: '{}',
    });
    expect(JSON.parse(outcome.payload)).toEqual({
      errorType: 'Sandbox.Timedout',
      errorMessage: 'RequestId: r Error: Task timed out after 3.00 seconds',
    });
    expect(environment.alive).toBe(false);
  });
});
