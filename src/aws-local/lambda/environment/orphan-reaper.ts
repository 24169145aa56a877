import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Sees to it that processes which cannot notice the end of this one, in a loop that never ends,
 * do not outlive it even where it is killed with SIGKILL. A shell waits for that: its standard
 * input is a pipe from here. On Windows, where there is none, nothing waits.
 */
class OrphanReaper {
  readonly #pids = new Set<number>();
  #shell: ChildProcess | undefined;

  /** From now on the process ends with this one. */
  add(pid: number): void {
    this.#shell ??= startShell();
    this.#pids.add(pid);
    this.#tell();
  }

  /** The process has ended. */
  delete(pid: number): void {
    this.#pids.delete(pid);
    this.#tell();
  }

  #tell(): void {
    this.#shell?.stdin?.write(`${[...this.#pids].join(' ')}\n`);
  }
}

/** The processes that end with this one. */
export const orphanReaper = new OrphanReaper();

// Keeps the latest line; at the end of the input it kills what that names.
const script = 'while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids';

function startShell(): ChildProcess {
  const shell = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without it, only what cannot notice the end of this process is left to itself.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  // Nothing here waits for it.
  shell.unref();
  if ('unref' in shell.stdin) (shell.stdin as unknown as { unref(): void }).unref();
  return shell;
}
