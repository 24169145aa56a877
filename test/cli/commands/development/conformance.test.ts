import { describe, expect, it } from 'vitest';
import type { CliContext } from '../../../../src/cli/context.ts';
import type { ConformanceOptions } from '../../../../src/conformance/main.ts';
import { MilepostError } from '../../../../src/core/errors.ts';
import { run } from '../../run.ts';

const passed = { name: 'describes its model', outcome: 'passed' } as const;
const failed = { name: 'sample: lent', outcome: 'failed', detail: 'no\u001b step' } as const;

/** A conformance test that reports the given results and records its options. */
function stub(...results: (typeof passed | typeof failed)[]) {
  const asked: ConformanceOptions[] = [];
  const testConformance: CliContext['testConformance'] = (options) => {
    asked.push(options);
    for (const result of results) {
      options.log(`about ${result.name}`);
      options.tell(result);
    }
    return Promise.resolve({ model: 'loans', results, untried: ['book.lost'] });
  };
  return { asked, testConformance };
}

describe('milepost conformance', () => {
  it('prints the checks that passed and the totals', async () => {
    const { asked, testConformance } = stub(passed);
    const ran = await run(['conformance', '--python', 'a/loan.handler', '--samples', 's.json'], {
      testConformance,
    });
    expect(ran).toMatchObject({
      status: 0,
      stdout: '✓ describes its model\n\n1 passed, 0 failed\n',
      stderr: 'No sample contains an event of these types: book.lost\n',
    });
    expect(asked[0]).toMatchObject({
      target: { python: 'a/loan.handler' },
      samples: 's.json',
      timeoutSeconds: 30,
    });
  });

  it("prints why a check failed, with the program's output, and exits with 1", async () => {
    const ran = await run(['conformance', '--command', './bootstrap'], stub(passed, failed));
    expect(ran.status).toBe(1);
    expect(ran.stdout).toContain('✗ sample: lent\n    no\\x1b step\n\n1 passed, 1 failed\n');
    expect(ran.stderr).toContain('    about sample: lent\n');
    expect(ran.stderr).not.toContain('about describes');
  });

  it('prints the results as JSON with --json', async () => {
    const given = stub(failed);
    const argv = ['conformance', '--function', 'loans', '--endpoint-url', 'http://127.0.0.1:1'];
    const ran = await run([...argv, '--timeout', '2.5', '--json'], given);
    expect(JSON.parse(ran.stdout)).toEqual({
      model: 'loans',
      results: [failed],
      untried: ['book.lost'],
      passed: 0,
      failed: 1,
    });
    expect(given.asked[0]).toMatchObject({
      target: { function: 'loans', endpoint: 'http://127.0.0.1:1' },
      timeoutSeconds: 2.5,
    });
  });

  it('prints a one-line error if the function cannot be tested', async () => {
    const testConformance = () =>
      Promise.reject(
        new MilepostError('bad-request', 'python3 is not on the PATH; install Python 3'),
      );
    const ran = await run(['conformance', '--python', 'a.handler'], { testConformance });
    expect(ran).toMatchObject({
      status: 1,
      stderr: 'error: python3 is not on the PATH; install Python 3\n',
    });
  });

  it.each([
    [[]],
    [['--command', 'x', '--python', 'y.z']],
    [['--command', 'x', '--endpoint-url', 'http://127.0.0.1:1']],
    [['--function', 'x', '--endpoint-url', '127.0.0.1:1']],
    [['--command', '']],
    [['--python', 'library_loan']],
    [['--python', 'loans/library_loan.py/']],
    [['--command', 'x', '--timeout', '0']],
    [['--command', 'x', '--timeout', 'soon']],
  ])('rejects %j with a usage error', async (argv) => {
    expect((await run(['conformance', ...argv], stub(passed))).status).toBe(2);
  });
});
