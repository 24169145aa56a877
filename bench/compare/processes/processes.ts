import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** How long a program may take to start, on a machine that has other work to do. */
const patienceMs = 60_000;

const running = new Map<ChildProcess, NodeJS.Signals>();
process.on('exit', () => {
  for (const [child, signal] of running) child.kill(signal);
});

/** Ends a process when this one does, unless the function that is returned is called before. */
export function endWithUs(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): () => void {
  running.set(child, signal);
  return () => running.delete(child);
}

/** A program that this one started, and that does not outlive it. */
export interface Program extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly pid: number;
  /** The end of what it wrote, to say why it did not start. */
  lastWords(): string;
}

/** Starts a program. Disposing of it asks it to end, and kills it where it does not. */
export async function startProgram(
  command: string,
  args: readonly string[],
  options: SpawnOptions & { readonly endWith?: NodeJS.Signals } = {},
): Promise<Program> {
  const { endWith = 'SIGTERM', ...rest } = options;
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...rest });
  await once(child, 'spawn');
  const ended = once(child, 'exit');
  const left = endWithUs(child);
  let words = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-2_000);
    });
  return {
    process: child,
    pid: child.pid!,
    lastWords: () => words,
    async [Symbol.asyncDispose]() {
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(endWith);
        await ended;
      }
      clearTimeout(late);
      left();
    },
  };
}

/** Waits until a program is ready. Where it ends first, throws with its last words. */
export async function untilReady(program: Program, ready: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await ready())) {
    if (program.process.exitCode !== null || Date.now() > end) {
      await program[Symbol.asyncDispose]();
      throw new Error(`${program.process.spawnfile} did not start: ${program.lastWords()}`);
    }
    await pause(50);
  }
}

/** The next message of a program. Throws with its last words where it ends without one. */
export async function nextMessage(program: Program): Promise<unknown> {
  const settled = new AbortController();
  const { signal } = settled;
  const ended = once(program.process, 'exit', { signal }).then(() => {
    throw new Error(`${program.process.spawnargs.join(' ')} ended: ${program.lastWords()}`);
  });
  try {
    const [message] = await Promise.race([once(program.process, 'message', { signal }), ended]);
    return message;
  } finally {
    settled.abort();
  }
}

/** A port of 127.0.0.1 that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}
