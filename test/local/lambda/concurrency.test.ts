import { BroadcastChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { LambdaHost } from '../../../src/local/lambda/lambda-host.ts';
import { call, define, hostOf } from './bundles.ts';

// Each environment draws an id; an invocation holds on until another says go, by a file-less
// channel that all threads of a process share.
const source = `
import { randomUUID } from 'node:crypto';
const environment = randomUUID();
let calls = 0;
let running = 0;
export const handler = async ({ hold }) => {
  running++;
  if (hold) {
    const channel = new BroadcastChannel(hold);
    channel.postMessage('here');
    await new Promise((resolve) => { channel.onmessage = ({ data }) => data === 'go' && resolve(); });
    channel.close();
  }
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

/** Lets invocations wait inside their handlers, and says when `count` of them do. */
class Gate {
  readonly #channel: BroadcastChannel;
  #inside = 0;
  #arrived: (() => void) | undefined;

  constructor(name: string) {
    this.#channel = new BroadcastChannel(name);
    this.#channel.addEventListener('message', () => {
      this.#inside++;
      this.#arrived?.();
    });
  }

  holds(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#arrived = () => {
        if (this.#inside >= count) resolve();
      };
      this.#arrived();
    });
  }

  open(): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads, not windows
    this.#channel.postMessage('go');
  }

  close(): void {
    this.#channel.close();
  }
}

describe('environments', () => {
  it('are used again, with their state', async () => {
    const host = hostOf([await define('f', source)]);
    const first = await run(host);
    const second = await run(host);
    expect(second).toEqual({ environment: first.environment, calls: 2, atOnce: 1 });
    expect(host.statistics().f).toMatchObject({ invocations: 2, coldStarts: 1 });
  });

  it('take one invocation each, up to the bound; others wait their turn', async () => {
    const host = hostOf([await define('f', source)], { maximumEnvironments: 2 });
    const door = new Gate('bound');
    const held = [run(host, { hold: 'bound' }), run(host, { hold: 'bound' })];
    await door.holds(2);
    const waiting = [run(host), run(host), run(host)];
    expect(host.statistics().f?.invocations).toBe(0);
    door.open();
    const seen = await Promise.all([...held, ...waiting]);
    door.close();
    expect(new Set(seen.map(({ environment }) => environment)).size).toBe(2);
    expect(seen.every(({ atOnce }) => atOnce === 1)).toBe(true);
    expect(host.statistics().f).toMatchObject({ invocations: 5, coldStarts: 2 });
  });

  it('hand their turn on when they die', async () => {
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

  it('that die while idle are not used again', async () => {
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

describe('reserved concurrency', () => {
  it('throttles what is over it, and takes it again afterwards', async () => {
    const host = hostOf([await define('f', source, { reservedConcurrency: 1 })]);
    const door = new Gate('reserved');
    const held = run(host, { hold: 'reserved' });
    await door.holds(1);
    await expect(run(host)).rejects.toMatchObject({
      code: 'TooManyRequestsException',
      reason: 'ReservedFunctionConcurrentInvocationLimitExceeded',
      message: 'Rate Exceeded.',
      statusCode: 429,
    });
    door.open();
    await held;
    door.close();
    expect(await run(host)).toMatchObject({ calls: 2 });
    expect(host.statistics().f).toMatchObject({ invocations: 2, throttles: 1 });
  });

  it('of zero stops the function', async () => {
    const host = hostOf([await define('f', source, { reservedConcurrency: 0 })]);
    await expect(run(host)).rejects.toMatchObject({ code: 'TooManyRequestsException' });
  });
});

describe('define and remove', () => {
  it('lets what runs end, and runs what follows with the new definition', async () => {
    const old = await define('f', source);
    const host = hostOf([old]);
    const door = new Gate('redefine');
    const held = run(host, { hold: 'redefine' });
    await door.holds(1);
    host.define(await define('f', 'export const handler = async () => "new";'));
    expect((await call(host, 'f')).result).toBe('new');
    door.open();
    expect(await held).toMatchObject({ calls: 1 });
    door.close();
    expect(host.statistics().f).toMatchObject({ invocations: 2 });
  });

  it('takes a function away', async () => {
    const host = hostOf([await define('f', source)]);
    await run(host);
    host.remove('f');
    await expect(run(host)).rejects.toMatchObject({ code: 'ResourceNotFoundException' });
    expect(host.statistics()).toEqual({});
  });
});

describe('statistics', () => {
  it('measure the work in the threads', async () => {
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
