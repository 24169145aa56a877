import { describe, expect, it } from 'vitest';
import type { LambdaHost } from '../../../src/aws-local/lambda/lambda-host.ts';
import { maximumIdleMs } from '../../../src/aws-local/lambda/limits.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { call, define, hostOf } from './bundles.ts';
import { Gate, pass } from './gate.ts';

const source = `
${pass}
console.log('loaded');
export const handler = async ({ hold, value }) => {
  if (hold) await pass(hold);
  return { value, pid: process.pid };
};`;

const environments = (host: LambdaHost, name = 'f') => host.statistics()[name]?.environments;
const all = () => true;

describe('a function', () => {
  it('has no environment before its first invocation', async () => {
    const host = hostOf([await define('f', source)]);
    expect(environments(host)).toBe(0);
    await call(host, 'f', {});
    expect(environments(host)).toBe(1);
  });
});

describe('a pre-initialized environment', () => {
  it('loads the function before the first invocation and handles this invocation', async () => {
    const lines: string[] = [];
    const host = hostOf([await define('f', source)], { log: (line) => lines.push(line) });
    await host.prestart('f');
    expect(lines.filter((line) => line.includes('loaded'))).toHaveLength(1);
    expect(environments(host)).toBe(1);
    await call(host, 'f', {});
    expect(lines.filter((line) => line.includes('loaded'))).toHaveLength(1);
  });

  it('is started only if the function has no environment', async () => {
    const host = hostOf([await define('f', source)]);
    await Promise.all([host.prestart('f'), host.prestart('f')]);
    await host.prestart('f');
    expect(environments(host)).toBe(1);
  });

  it('handles an invocation that arrives while it starts', async () => {
    const host = hostOf([await define('f', source)]);
    const [, { result }] = await Promise.all([host.prestart('f'), call(host, 'f', { value: 1 })]);
    expect(result).toMatchObject({ value: 1 });
    expect(environments(host)).toBe(1);
  });

  it('reports at the first invocation that the function does not load', async () => {
    const host = hostOf([await define('f', 'throw new RangeError("no table");')]);
    await host.prestart('f');
    expect((await call(host, 'f', {})).result).toMatchObject({ errorMessage: 'no table' });
  });

  it('expires like other idle environments', async () => {
    const clock = new ManualClock();
    const host = hostOf([await define('f', source)], { clock });
    await host.prestart('f');
    await clock.advance(maximumIdleMs);
    expect(environments(host)).toBe(0);
  });

  it('is not started for a function that does not exist', async () => {
    await expect(hostOf([]).prestart('f')).resolves.toBeUndefined();
  });
});

describe('terminating idle environments', () => {
  it('affects only the selected functions, including their versions', async () => {
    const f = await define('f', source);
    const host = hostOf([f, await define('g', source)]);
    host.defineVersions('f', [{ ...f, version: '1' }]);
    await host.invoke({ functionName: 'f', qualifier: '1', payload: '{}' });
    await Promise.all([call(host, 'f', {}), call(host, 'g', {})]);
    expect([environments(host, 'f'), environments(host, 'g')]).toEqual([2, 1]);
    await host.terminateIdle((name) => name === 'f');
    expect([environments(host, 'f'), environments(host, 'g')]).toEqual([0, 1]);
  });

  it('does not end running invocations, and their environments handle later invocations', async () => {
    const host = hostOf([await define('f', source)]);
    using door = await Gate.start();
    const held = call(host, 'f', { hold: door.port });
    await door.holds(1);
    await host.terminateIdle(all);
    door.open();
    const { pid } = (await held).result as { pid: number };
    expect((await call(host, 'f', {})).result).toMatchObject({ pid });
  });

  it('loses no invocation that arrives at the same time', async () => {
    const host = hostOf([await define('f', source)]);
    const values = Array.from({ length: 30 }, (_, value) => value);
    const seen = [];
    for (const value of values) {
      let terminating: Promise<void> | undefined;
      // In every other round, the invocation takes the idle environment first.
      if (value % 2 === 0) terminating = host.terminateIdle(all);
      const invocation = call(host, 'f', { value });
      terminating ??= host.terminateIdle(all);
      const [{ result }] = await Promise.all([invocation, terminating]);
      seen.push((result as { value: number }).value);
    }
    expect(seen).toEqual(values);
  });

  it('loses no invocation that arrives when an environment expires', async () => {
    const clock = new ManualClock();
    const host = hostOf([await define('f', source)], { clock });
    const seen = [];
    for (let value = 0; value < 5; value++) {
      const expiring = clock.advance(maximumIdleMs);
      const [{ result }] = await Promise.all([call(host, 'f', { value }), expiring]);
      seen.push((result as { value: number }).value);
    }
    expect(seen).toEqual([0, 1, 2, 3, 4]);
  });
});
