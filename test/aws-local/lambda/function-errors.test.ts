import { beforeAll, describe, expect, it } from 'vitest';
import type { LambdaHost } from '../../../src/aws-local/lambda/lambda-host.ts';
import { call, define, hostOf } from './bundles.ts';

const source = `
let count = 0;
class TeapotError extends Error { name = 'TeapotError'; code = 'E418'; }
const ways = {
  count: () => ++count,
  nothing: () => undefined,
  throws: () => { throw new TeapotError('short and stout'); },
  rejects: async () => { throw new TeapotError('short and stout'); },
  throwsText: () => { throw 'only text'; },
  throwsNothing: () => { throw undefined; },
  circular: () => { const o = {}; o.o = o; return o; },
  bigint: () => ({ n: 1n }),
  exit0: () => process.exit(0),
  exit3: () => process.exit(3),
  killed: () => { process.kill(process.pid, 'SIGKILL'); for (;;); },
  writes: () => { for (let i = 0; i < 1_000; i++) console.log('line ' + i); process.exit(1); },
  unhandled: () => { Promise.reject(new Error('nobody caught this')); return 'fine'; },
  later: () => new Promise((_, reject) => setImmediate(() => { throw new Error('out of the blue'); })),
  never: () => new Promise(() => {}),
  large: ({ bytes }) => 'x'.repeat(bytes),
};
export const handler = async (event) => ways[event.way](event);
`;

let host: LambdaHost;
beforeAll(async () => {
  host = hostOf([await define('ways', source)]);
});

/** Returns true if the environment of the previous invocation is reused. */
async function survives(): Promise<boolean> {
  const { result } = await call(host, 'ways', { way: 'count' });
  return Number(result) > 1;
}

describe('a function error', () => {
  it.each(['throws', 'rejects'])('is reported if the handler %s', async (way) => {
    const { result, functionError, log } = await call(host, 'ways', { way });
    expect(functionError).toBe('Unhandled');
    expect(result).toEqual({
      errorType: 'TeapotError',
      errorMessage: 'short and stout',
      trace: expect.arrayContaining([
        'TeapotError: short and stout',
        expect.stringContaining('index.mjs'),
      ]),
    });
    expect(log).toMatch(
      /\tERROR\tInvoke Error \t\{"errorType":"TeapotError","errorMessage":"short and stout","name":"TeapotError","code":"E418"/,
    );
  });

  it('has the type of the thrown value if the value is not an Error', async () => {
    expect((await call(host, 'ways', { way: 'throwsText' })).result).toEqual({
      errorType: 'string',
      errorMessage: 'only text',
      trace: [],
    });
    expect((await call(host, 'ways', { way: 'throwsNothing' })).result).toEqual({
      errorType: 'undefined',
      errorMessage: 'undefined',
      trace: [],
    });
  });

  it.each(['circular', 'bigint'])(
    'is reported for a result that cannot be converted to JSON: %s',
    async (way) => {
      expect(await call(host, 'ways', { way })).toMatchObject({
        functionError: 'Unhandled',
        result: {
          errorType: 'Runtime.JSONStringifyError',
          errorMessage: 'Unable to stringify response body',
        },
      });
    },
  );

  it('does not end the execution environment', async () => {
    await call(host, 'ways', { way: 'count' });
    await call(host, 'ways', { way: 'throws' });
    expect(await survives()).toBe(true);
  });

  it('is reported for a response of more than 6 MB', async () => {
    const fits = 6_291_556 - '""'.length;
    const answer = await call(host, 'ways', { way: 'large', bytes: fits });
    expect(answer.functionError).toBeUndefined();
    const { result } = await call(host, 'ways', { way: 'large', bytes: fits + 1 });
    expect(result).toEqual({
      errorType: 'Function.ResponseSizeTooLarge',
      errorMessage: 'Response payload size exceeded maximum allowed payload size (6291556 bytes).',
    });
  });
});

describe('a handler that returns nothing', () => {
  it('has the result null', async () => {
    const answer = await call(host, 'ways', { way: 'nothing' });
    expect(answer).toMatchObject({ result: null, functionError: undefined });
  });
});

describe('the exit of a function process', () => {
  it.each([
    ['process.exit(0)', 'exit0', 'Runtime exited without providing a reason'],
    ['process.exit(3)', 'exit3', 'Runtime exited with error: exit status 3'],
    ['a signal', 'killed', 'Runtime exited with error: signal: killed'],
    ['an unhandled rejection', 'unhandled', 'Runtime exited with error: exit status 1'],
    ['an uncaught exception', 'later', 'Runtime exited with error: exit status 1'],
    ['a promise that never settles', 'never', 'Runtime exited without providing a reason'],
  ])('is reported as a function error after %s', async (_what, way, reason) => {
    await call(host, 'ways', { way: 'count' });
    const { result, functionError, log } = await call(host, 'ways', { way });
    expect(functionError).toBe('Unhandled');
    expect(result).toEqual({
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringMatching(`^RequestId: [0-9a-f-]{36} Error: ${reason}$`),
    });
    expect(log).toMatch(/REPORT .*\tStatus: error\tError Type: Runtime.ExitError\t\n$/);
    expect(await survives()).toBe(false);
  });

  it('is logged after all earlier output', async () => {
    const { log } = await call(host, 'ways', { way: 'writes' });
    expect(log).toMatch(/\tINFO\tline 999\n/);
  });

  it('is logged with the uncaught error', async () => {
    const { log } = await call(host, 'ways', { way: 'unhandled' });
    expect(log).toMatch(/Error: nobody caught this\n\s+at .*index\.mjs/);
  });
});
