import { describe, expect, it } from 'vitest';
import { ExecutionEnvironment } from '../../../src/aws-local/lambda/execution-environment.ts';
import { call, define, hostOf } from './bundles.ts';

describe('a function that does not load', () => {
  it('reports the reason and is reloaded for every invocation', async () => {
    const source = `
      setInterval(() => {}, 1000);
      console.log('loading');
      throw new RangeError('no table');`;
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

  it('reports invalid JavaScript', async () => {
    const host = hostOf([await define('f', 'export const = 1')]);
    expect((await call(host, 'f')).result).toMatchObject({
      errorType: 'Runtime.UserCodeSyntaxError',
      errorMessage: "SyntaxError: Unexpected token '='",
      trace: expect.arrayContaining(["SyntaxError: Unexpected token '='"]),
    });
  });

  it('reports the exit status if it exits the process', async () => {
    const host = hostOf([await define('f', 'process.exit(7);')]);
    expect((await call(host, 'f')).result).toMatchObject({
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringContaining('exit status 7'),
    });
  });

  it('times out if it loads for too long', async () => {
    const definition = await define('f', 'for (;;);', { timeoutSeconds: 3 });
    const environment = new ExecutionEnvironment(definition, {}, () => {}, 300);
    const message = { requestId: 'r', invokedFunctionArn: '', payload: '{}' };
    const outcome = await environment.invoke(message);
    expect(JSON.parse(outcome.payload)).toEqual({
      errorType: 'Sandbox.Timedout',
      errorMessage: 'RequestId: r Error: Task timed out after 3.00 seconds',
    });
    expect(environment.isAlive).toBe(false);
  });
});
