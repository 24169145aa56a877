import { describe, expect, it } from 'vitest';
import type { LambdaHost, LambdaHostOptions } from '../../../src/aws-local/lambda/lambda-host.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { call, define, hostOf } from './bundles.ts';
import { Gate, pass } from './gate.ts';

// The function's code generates an id for each execution environment.
const source = `
${pass}
import { randomUUID } from 'node:crypto';
const environment = randomUUID();
let calls = 0;
let running = 0;
export const handler = async ({ hold }) => {
  running++;
  if (hold) await pass(hold);
  return { environment, calls: ++calls, atOnce: running-- };
};`;

interface Seen {
  environment: string;
  calls: number;
  atOnce: number;
}

async function run(host: LambdaHost, event: object = {}): Promise<Seen> {
  const { result } = await call(host, 'f', event);
  return result as Seen;
}

/** Creates a host whose only environment runs an invocation until the gate opens. */
async function busyHost(options: Partial<LambdaHostOptions> = {}) {
  const clock = new ManualClock();
  const host = hostOf([await define('f', source)], { ...options, clock });
  const gate = await Gate.start();
  const held = run(host, { hold: gate.port });
  await gate.holds(1);
  return { clock, host, gate, held };
}

describe('execution environments', () => {
  it('are reused and keep their state', async () => {
    const host = hostOf([await define('f', source)]);
    const first = await run(host);
    const second = await run(host);
    expect(second).toEqual({ environment: first.environment, calls: 2, atOnce: 1 });
    expect(host.statistics().f).toMatchObject({ invocations: 2, coldStarts: 1 });
  });

  it('handle one invocation at a time, and further invocations wait if the maximum number of environments is busy', async () => {
    const host = hostOf([await define('f', source)], { maximumEnvironments: 2 });
    using door = await Gate.start();
    const held = [run(host, { hold: door.port }), run(host, { hold: door.port })];
    await door.holds(2);
    const waiting = [run(host), run(host), run(host)];
    expect(host.statistics().f?.invocations).toBe(0);
    door.open();
    const seen = await Promise.all([...held, ...waiting]);
    expect(new Set(seen.map(({ environment }) => environment)).size).toBe(2);
    expect(seen.every(({ atOnce }) => atOnce === 1)).toBe(true);
    expect(host.statistics().f).toMatchObject({ invocations: 5, coldStarts: 2 });
  });

  it('are added only after an invocation has waited for 50 ms', async () => {
    const { clock, host, gate, held } = await busyHost();
    using door = gate;
    const waiting = run(host);
    await clock.advance(49);
    expect(host.statistics().f?.environments).toBe(1);
    await clock.advance(1);
    expect((await waiting).calls).toBe(1);
    door.open();
    await held;
    expect(host.statistics().f).toMatchObject({ invocations: 2, coldStarts: 2 });
  });

  it('are not added if a running invocation ends within 50 ms', async () => {
    const { clock, host, gate, held } = await busyHost();
    using door = gate;
    const waiting = run(host);
    await clock.advance(49);
    door.open();
    const seen = [await held, await waiting];
    await clock.advance(1);
    expect(seen.map(({ calls }) => calls)).toEqual([1, 2]);
    expect(host.statistics().f).toMatchObject({ environments: 1, coldStarts: 1 });
  });

  it('are added for an invocation that has waited for 50 ms, even if earlier invocations have left the queue', async () => {
    const { clock, host, gate, held } = await busyHost();
    using first = gate;
    using second = await Gate.start();
    const next = run(host, { hold: second.port });
    const waiting = run(host);
    await clock.advance(49);
    first.open();
    await second.holds(1);
    await clock.advance(1);
    expect((await waiting).calls).toBe(1);
    second.open();
    expect([await held, await next].map(({ calls }) => calls)).toEqual([1, 2]);
  });

  it('exceed the number of processors only if no running invocation finishes for a second', async () => {
    const options = { promptEnvironments: 1, maximumEnvironments: 2 };
    const { clock, host, gate, held } = await busyHost(options);
    using door = gate;
    const waiting = run(host);
    await clock.advance(999);
    expect(host.statistics().f?.environments).toBe(1);
    await clock.advance(1);
    expect((await waiting).calls).toBe(1);
    door.open();
    expect((await held).calls).toBe(1);
    expect(host.statistics().f).toMatchObject({ invocations: 2, coldStarts: 2 });
  });

  it('do not exceed the number of processors while invocations keep finishing', async () => {
    const { clock, host, gate, held } = await busyHost({ promptEnvironments: 1 });
    using first = gate;
    using second = await Gate.start();
    const after = run(host, { hold: second.port });
    const last = run(host);
    await clock.advance(500);
    first.open();
    await second.holds(1);
    await clock.advance(500);
    expect(host.statistics().f?.environments).toBe(1);
    second.open();
    const seen = await Promise.all([held, after, last]);
    expect(seen.map(({ calls }) => calls)).toEqual([1, 2, 3]);
  });

  it('start one at a time, and the first environment handles the waiting invocations', async () => {
    using door = await Gate.start();
    const slow = source.replace('let calls', `await pass(${door.port});\nlet calls`);
    const host = hostOf([await define('f', slow)], { clock: new ManualClock() });
    const all = [run(host), run(host), run(host)];
    await door.holds(1);
    expect(host.statistics().f?.environments).toBe(1);
    door.open();
    expect((await Promise.all(all)).map(({ calls }) => calls)).toEqual([1, 2, 3]);
  });

  it('let waitForCapacity resolve once per free environment', async () => {
    const host = hostOf([await define('f', source)], { maximumEnvironments: 2 });
    using door = await Gate.start();
    let turns = 0;
    const inTurn = async (event: object) => {
      await host.waitForCapacity('f');
      turns++;
      return run(host, event);
    };
    const held = [inTurn({ hold: door.port }), inTurn({ hold: door.port })];
    const waiting = [inTurn({}), inTurn({})];
    await door.holds(2);
    expect(turns).toBe(2);
    door.open();
    await Promise.all([...held, ...waiting]);
    expect(turns).toBe(4);
    await host.waitForCapacity('nobody knows it');
  });

  it('are added 50 ms after another environment has exited, even for an invocation that would otherwise wait for a second', async () => {
    const clock = new ManualClock();
    const exits = source.replace('if (hold) await pass(hold);', '$& if (hold) process.exit(1);');
    const options = { promptEnvironments: 2, maximumEnvironments: 3, clock };
    const host = hostOf([await define('f', exits)], options);
    using first = await Gate.start();
    using second = await Gate.start();
    const exiting = call(host, 'f', { hold: first.port });
    await first.holds(1);
    const held = call(host, 'f', { hold: second.port });
    await clock.advance(50);
    await second.holds(1);
    const waiting = run(host);
    first.open();
    await exiting;
    await clock.advance(50);
    expect((await waiting).calls).toBe(1);
    second.open();
    await held;
  });

  it('are replaced when they exit during an invocation', async () => {
    const dies = `export const handler = async ({ die }) => { if (die) process.exit(1); return 'alive'; };`;
    const host = hostOf([await define('f', dies)], { maximumEnvironments: 1 });
    const answers = await Promise.all([
      call(host, 'f', { die: true }),
      call(host, 'f'),
      call(host, 'f', { die: true }),
      call(host, 'f'),
    ]);
    expect(answers.map(({ functionError }) => functionError)).toEqual([
      'Unhandled',
      undefined,
      'Unhandled',
      undefined,
    ]);
    await call(host, 'f', { die: true });
    expect((await call(host, 'f')).result).toBe('alive');
  });

  it('are not reused after they exit while idle', async () => {
    const dies = `let n = 0; export const handler = async ({ later }) => {
      if (later) setTimeout(() => process.exit(1), 1);
      return ++n;
    };`;
    const host = hostOf([await define('f', dies)]);
    await call(host, 'f', { later: true });
    await expect.poll(() => host.statistics().f?.environments).toBe(0);
    expect(await call(host, 'f')).toMatchObject({ result: 1, functionError: undefined });
  });
});

describe('an idle environment', () => {
  it('is terminated after a minute without an invocation', async () => {
    const clock = new ManualClock();
    const host = hostOf([await define('f', source)], { clock });
    const first = await run(host);
    await clock.advance(59_000);
    const second = await run(host);
    await clock.advance(59_000);
    expect(second.environment).toBe(first.environment);
    expect(host.statistics().f).toMatchObject({ environments: 1 });
    await clock.advance(1_000);
    expect(host.statistics().f).toMatchObject({ environments: 0 });
    expect(await run(host)).toMatchObject({ calls: 1 });
  });
});

describe('reserved concurrency', () => {
  it('throttles excess invocations, and accepts invocations again when the running invocations have finished', async () => {
    const host = hostOf([await define('f', source, { reservedConcurrency: 1 })]);
    using door = await Gate.start();
    const held = run(host, { hold: door.port });
    await door.holds(1);
    await expect(run(host)).rejects.toMatchObject({
      code: 'TooManyRequestsException',
      reason: 'ReservedFunctionConcurrentInvocationLimitExceeded',
      message: 'Rate Exceeded.',
      statusCode: 429,
    });
    door.open();
    await held;
    expect(await run(host)).toMatchObject({ calls: 2 });
    expect(host.statistics().f).toMatchObject({ invocations: 2, throttles: 1 });
  });

  it('of zero disables the function', async () => {
    const host = hostOf([await define('f', source, { reservedConcurrency: 0 })]);
    await expect(run(host)).rejects.toMatchObject({ code: 'TooManyRequestsException' });
  });
});

describe('the functions of a Lambda host', () => {
  it('can be redefined for later invocations while running invocations finish with the old code', async () => {
    const old = await define('f', source);
    const host = hostOf([old]);
    using door = await Gate.start();
    const held = run(host, { hold: door.port });
    await door.holds(1);
    host.define(await define('f', 'export const handler = async () => "new";'));
    expect((await call(host, 'f')).result).toBe('new');
    door.open();
    expect(await held).toMatchObject({ calls: 1 });
    expect(host.statistics().f).toMatchObject({ invocations: 2 });
  });

  it('can be removed', async () => {
    const host = hostOf([await define('f', source)]);
    await run(host);
    host.remove('f');
    await expect(run(host)).rejects.toMatchObject({ code: 'ResourceNotFoundException' });
    expect(host.statistics()).toEqual({});
  });
});

describe('the statistics of a Lambda host', () => {
  it('contain the duration, CPU time, and memory of functions', async () => {
    const busy = `const hold = []; export const handler = async ({ mb }) => {
      for (const end = performance.now() + 30; performance.now() < end;);
      hold.push(Buffer.alloc(mb * 1024 * 1024));
    };`;
    const host = hostOf([await define('f', busy, { memoryMb: 256 })]);
    await call(host, 'f', { mb: 1 });
    const before = host.statistics().f;
    await call(host, 'f', { mb: 32 });
    const after = host.statistics().f;
    expect(after?.durationMs).toBeGreaterThan((before?.durationMs ?? 0) + 25);
    expect(after?.cpuMs).toBeGreaterThan(before?.cpuMs ?? 0);
    expect(after?.peakMemoryBytes).toBeGreaterThan(32 * 1024 * 1024);
  });
});
