import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** How long a program may take to start, in milliseconds: long enough for a busy machine. */
const patienceMs = 60_000;

const running = new Map<ChildProcess, NodeJS.Signals>();
process.on('exit', () => {
  for (const [child, signal] of running) child.kill(signal);
});

/**
 * Kills a child process when this process exits.
 *
 * @returns a function that cancels the kill, to be called when the child process has exited.
 */
export function endWithUs(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): () => void {
  running.set(child, signal);
  return () => running.delete(child);
}

/** A child process that does not outlive this process. */
export interface Program extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Returns the last 2,000 characters of the program's output, which usually contain the reason for a failed start. */
  lastWords(): string;
}

/**
 * Starts a program. Disposing the program requests a shutdown and kills the process if it is still running after 5
 * seconds.
 */
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

/**
 * Waits until a program is ready.
 *
 * @throws Error with the end of the program's output if the program exits or is not ready in time.
 */
export async function untilReady(program: Program, ready: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await ready())) {
    if (program.process.exitCode !== null || Date.now() > end) {
      await program[Symbol.asyncDispose]();
      throw new Error(`${program.process.spawnfile} failed to start: ${program.lastWords()}`);
    }
    await pause(50);
  }
}

/**
 * Waits for the next message from a program.
 *
 * @throws Error with the end of the program's output if the program exits first.
 */
export async function nextMessage(program: Program): Promise<unknown> {
  const settled = new AbortController();
  const { signal } = settled;
  const ended = once(program.process, 'exit', { signal }).then(() => {
    throw new Error(`${program.process.spawnargs.join(' ')} exited: ${program.lastWords()}`);
  });
  try {
    const [message] = await Promise.race([once(program.process, 'message', { signal }), ended]);
    return message;
  } finally {
    settled.abort();
  }
}
