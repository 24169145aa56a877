import { describe, expect, it } from 'vitest';
import { call, define, hostOf, withTimeout } from './bundles.ts';

describe('the timeout of a function', () => {
  it.each([
    ['waits', 'await new Promise((resolve) => setTimeout(resolve, 60_000));'],
    ['loops', 'for (;;);'],
    ['runs native code', `pbkdf2Sync('never', 'returns', 2e9, 64, 'sha512');`],
  ])('ends the execution environment of a handler that %s', async (_what, body) => {
    const source = `import { pbkdf2Sync } from 'node:crypto';
      let n = 0; export const handler = async (event) => { if (event.slow) { ${body} } return ++n; };`;
    const definition = await define('f', source);
    const timeout = withTimeout(definition);
    const host = hostOf([definition]);
    await call(host, 'f');
    timeout.seconds = 0.5;
    const { result, functionError, log } = await call(host, 'f', { slow: true });
    expect(functionError).toBe('Unhandled');
    expect(result).toEqual({
      errorType: 'Sandbox.Timedout',
      errorMessage: expect.stringMatching(
        /^RequestId: [0-9a-f-]{36} Error: Task timed out after 0.50 seconds$/,
      ),
    });
    expect(log).toMatch(/^\S+Z [0-9a-f-]{36} Task timed out after 0.50 seconds$/m);
    expect(log).toMatch(/REPORT .*\tStatus: timeout\t\n$/);
    timeout.seconds = 10;
    expect((await call(host, 'f')).result).toBe(1);
  });
});

describe('the memory limit of a function', () => {
  const outOfMemory = {
    errorType: 'Runtime.OutOfMemory',
    errorMessage: expect.stringMatching(/Error: Runtime exited with error: signal: killed$/),
  };

  it.each([
    ['many objects', `for (;;) hold.push(Array.from({ length: 10_000 }, () => ({})));`],
    ['one large allocation', `for (let all = [{}]; ; ) all = all.concat(all);`],
  ])('ends a function that exceeds the limit with %s', async (_what, body) => {
    const source = `const hold = []; export const handler = async (event) => { if (event.grow) { ${body} } return hold.length; };`;
    const host = hostOf([await define('f', source, { timeoutSeconds: 25 })]);
    const { result, functionError, log } = await call(host, 'f', { grow: true });
    expect(functionError).toBe('Unhandled');
    expect(result).toEqual(outOfMemory);
    expect(log).toContain('Error Type: Runtime.OutOfMemory');
    expect((await call(host, 'f')).result).toBe(0);
  });

  // The host checks the memory of processes only on Linux.
  it.runIf(process.platform === 'linux')(
    'also ends a function that exceeds the limit with buffers',
    async () => {
      const source = `const hold = [];
      export const handler = async () => { for (;;) hold.push(Buffer.alloc(1_000_000, 1)); };`;
      const host = hostOf([await define('f', source, { timeoutSeconds: 25 })]);
      expect((await call(host, 'f')).result).toEqual(outOfMemory);
      expect(host.statistics().f?.peakMemoryBytes).toBeGreaterThanOrEqual(128 * 1_048_576);
    },
  );
});

describe('the log of a function', () => {
  it('splits a line that does not end, so that endless output does not fill the memory of the host', async () => {
    const source = `export const handler = async () => {
      for (let i = 0; i < 20; i++) process.stdout.write('x'.repeat(100_000));
      process.stdout.write('\\nlast\\n');
    };`;
    const lines: string[] = [];
    const host = hostOf([await define('f', source)], { log: (line) => lines.push(line) });
    await call(host, 'f');
    const output = lines.filter((line) => /^x*$/.test(line));
    expect(output.join('')).toBe('x'.repeat(2_000_000));
    expect(Math.max(...output.map((line) => line.length))).toBeLessThan(400_000);
    expect(lines).toContain('last');
  });

  it('omits the output of an invocation after 10 MB, and says so', async () => {
    const source = `export const handler = async ({ lines }) => {
      for (let n = 0; n < lines; n++) console.log('x'.repeat(100_000));
    };`;
    const lines: string[] = [];
    const host = hostOf([await define('f', source)], { log: (line) => lines.push(line) });
    const { log } = await call(host, 'f', { lines: 150 });
    const written = lines.join('\n').length;
    expect(written).toBeGreaterThan(10 * 1_048_576);
    expect(written).toBeLessThan(11 * 1_048_576);
    const note =
      "The local service keeps the first 10 MB of each invocation's log; the rest of this log is omitted.";
    expect(lines.slice(-3)).toEqual([
      note,
      expect.stringMatching(/^END /),
      expect.stringMatching(/^REPORT /),
    ]);
    // The excerpt contains the end of the complete log.
    expect(log).toContain('xxx\nEND RequestId');
    lines.length = 0;
    await call(host, 'f', { lines: 1 });
    expect(lines.join('\n').length).toBeGreaterThan(100_000);
  });
});
