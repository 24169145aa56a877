import { beforeAll, describe, expect, it } from 'vitest';
import type { FunctionDefinition } from '../../../src/aws-local/lambda/function-definition.ts';
import type { LambdaHost } from '../../../src/aws-local/lambda/lambda-host.ts';
import { call, define, hostOf } from './bundles.ts';

const source = `
export const handler = async (event, context) => {
  if (event.write) {
    console.log('a', { b: 1 }, 'two\\nlines');
    console.error(new Error('seen'));
    process.stderr.write(Buffer.from('bytes\\n'));
    process.stdout.write('raw ');
    process.stdout.write('text\\n');
    console.table([{ x: 1 }]);
  }
  if (event.fill) for (let i = 0; i < 400; i++) console.log('line ' + i);
  return { environment: process.env, context, left: context.getRemainingTimeInMillis() };
};`;

let definition: FunctionDefinition;
let host: LambdaHost;
const lines: [string, string][] = [];
beforeAll(async () => {
  process.env.MILEPOST_HOST_ONLY = 'secret';
  definition = await define('seen', source, { environment: { TABLE: 'instances' } });
  host = hostOf([definition], {
    runtimeEnvironment: {
      AWS_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
    },
    log: (line, name) => lines.push([name, line]),
  });
});

/** Invokes a function that returns its environment variables. */
async function view(input: Partial<Parameters<LambdaHost['invoke']>[0]> = {}) {
  const answer = await host.invoke({ functionName: 'seen', ...input });
  return { requestId: answer.requestId, ...JSON.parse(answer.payload) };
}

describe('the environment of a function', () => {
  it('contains only the variables that AWS, the host, and the function define', async () => {
    const { environment, context } = await view();
    expect(environment).toEqual({
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
      AWS_LAMBDA_FUNCTION_NAME: 'seen',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_LAMBDA_LOG_FORMAT: 'Text',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/seen',
      AWS_LAMBDA_LOG_STREAM_NAME: context.logStreamName,
      AWS_REGION: 'eu-west-1',
      LAMBDA_TASK_ROOT: definition.codePath,
      LANG: 'en_US.UTF-8',
      PATH: expect.any(String),
      TABLE: 'instances',
      TZ: ':UTC',
      _HANDLER: 'index.handler',
    });
  });
});

describe('the context of an invocation', () => {
  it('has the same properties as in AWS', async () => {
    const { context, left, requestId } = await view();
    expect(context).toEqual({
      awsRequestId: requestId,
      callbackWaitsForEmptyEventLoop: true,
      functionName: 'seen',
      functionVersion: '$LATEST',
      invokedFunctionArn: definition.arn,
      logGroupName: '/aws/lambda/seen',
      logStreamName: expect.stringMatching(/^\d{4}\/\d\d\/\d\d\/\[\$LATEST\][0-9a-f]{32}$/),
      memoryLimitInMB: '128',
    });
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(10_000);
  });

  it('contains the client context and the requested qualifier', async () => {
    const { context } = await view({
      clientContext: '{"custom":{"k":"v"}}',
      functionName: `${definition.arn}:$LATEST`,
    });
    expect(context.clientContext).toEqual({ custom: { k: 'v' } });
    expect(context.invokedFunctionArn).toBe(`${definition.arn}:$LATEST`);
  });
});

describe('the log of an invocation', () => {
  it("contains the function's output in order, between the platform's lines", async () => {
    await call(host, 'seen');
    const { log } = await call(host, 'seen', { write: true });
    const id = '[0-9a-f]{8}-[0-9a-f-]{27}';
    const stamp = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\t${id}`;
    const [start, info, error, bytes, raw, ...rest] = log.split('\n');
    expect(start).toMatch(new RegExp(`^START RequestId: ${id} Version: \\$LATEST$`));
    expect(info).toMatch(new RegExp(`^${stamp}\tINFO\ta { b: 1 } two\rlines$`));
    expect(error).toMatch(new RegExp(`^${stamp}\tERROR\tError: seen\r    at `));
    expect([raw, bytes]).toEqual(['raw text', 'bytes']);
    expect(rest.join('\n')).toContain('│ (index) │ x │');
    expect(log).toMatch(
      new RegExp(
        `\nEND RequestId: (${id})\nREPORT RequestId: \\1\tDuration: \\d+\\.\\d\\d ms\tBilled Duration: \\d+ ms\tMemory Size: 128 MB\tMax Memory Used: \\d+ MB\t\n$`,
      ),
    );
  });

  it('contains the output as JSON lines if the log format is JSON', async () => {
    const written = `
      const circular = {};
      circular.self = circular;
      export const handler = async () => {
        console.warn({ message: 'parked', count: 2 });
        console.log('a', 1);
        console.info(circular);
        console.info({ cause: new RangeError('nested') });
        throw new TypeError('wrong');
      };`;
    const json = hostOf([await define('json', written, { logFormat: 'JSON' })]);
    const { log } = await call(json, 'json');
    const parsed = log
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    expect(parsed).toEqual(
      [
        ['WARN', { message: 'parked', count: 2 }],
        ['INFO', 'a 1'],
        ['INFO', expect.stringContaining('[Circular *1]')],
        ['INFO', { cause: expect.objectContaining({ errorType: 'RangeError' }) }],
        [
          'ERROR',
          {
            errorType: 'TypeError',
            errorMessage: 'wrong',
            stackTrace: expect.arrayContaining(['TypeError: wrong']),
          },
        ],
      ].map(([level, message]) => ({
        timestamp: expect.any(String),
        level,
        requestId: expect.any(String),
        message,
      })),
    );
  });

  it('reaches the host line by line, with the name of the function', async () => {
    lines.length = 0;
    await call(host, 'seen', { write: true });
    expect(lines[0]).toEqual(['seen', expect.stringMatching(/^START /)]);
    expect(lines).toContainEqual(['seen', 'raw text']);
    expect(lines.at(-1)).toEqual(['seen', expect.stringMatching(/^REPORT /)]);
  });

  it('is truncated to its last 4 KB in the response', async () => {
    const { log } = await call(host, 'seen', { fill: true });
    expect(Buffer.byteLength(log)).toBe(4096);
    expect(log).toContain('line 399');
    expect(log).not.toContain('line 1\n');
    expect(log).toMatch(/REPORT .*\n$/);
  });

  it('is returned only on request', async () => {
    expect((await host.invoke({ functionName: 'seen' })).logResult).toBeUndefined();
  });

  it('contains the load time only for the first invocation', async () => {
    const one = hostOf([definition]);
    const report =
      /REPORT .*Duration: ([\d.]+) ms\tBilled Duration: (\d+) ms.*Init Duration: ([\d.]+) ms/;
    const [, duration, billed, init] = report.exec((await call(one, 'seen')).log) ?? [];
    expect(Number(init)).toBeGreaterThan(0);
    expect(Number(billed)).toBeGreaterThanOrEqual(Number(duration) + Number(init));
    expect((await call(one, 'seen')).log).not.toContain('Init Duration');
  });
});
