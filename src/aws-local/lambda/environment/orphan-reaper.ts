import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Kills child processes when this process exits, even through SIGKILL. Otherwise, a child process in an endless loop
 * would keep running. A shell, whose standard input is a pipe from this process, detects the exit and kills the child
 * processes. Has no effect on Windows, which has no `/bin/sh`.
 */
class OrphanReaper {
  readonly #pids = new Set<number>();
  #shell: ChildProcess | undefined;

  /** Registers a process to be killed when this one exits. */
  add(pid: number): void {
    this.#shell ??= startShell();
    this.#pids.add(pid);
    this.#update();
  }

  /** Unregisters a process that has exited. */
  delete(pid: number): void {
    this.#pids.delete(pid);
    this.#update();
  }

  #update(): void {
    this.#shell?.stdin?.write(`${[...this.#pids].join(' ')}\n`);
  }
}

/** The processes to be killed when this one exits. */
export const orphanReaper = new OrphanReaper();

// The script remembers the latest line of process ids, and kills these processes at the end of the input.
const script = 'while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids';

function startShell(): ChildProcess {
  const shell = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Ignore a failed start of the shell. Child processes still exit by themselves, except those in an endless loop.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  // The shell must not keep this process alive.
  shell.unref();
  if ('unref' in shell.stdin) (shell.stdin as unknown as { unref(): void }).unref();
  return shell;
}
