import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Kills child processes that could outlive this one, such as one in an endless loop, even if this process dies from
 * SIGKILL. A shell detects that because its standard input is a pipe from this process. Does nothing on Windows, which
 * has no such shell.
 */
class OrphanReaper {
  readonly #pids = new Set<number>();
  #shell: ChildProcess | undefined;

  /** Registers a process to be killed when this one exits. */
  add(pid: number): void {
    this.#shell ??= startShell();
    this.#pids.add(pid);
    this.#tell();
  }

  /** Unregisters a process that has exited. */
  delete(pid: number): void {
    this.#pids.delete(pid);
    this.#tell();
  }

  #tell(): void {
    this.#shell?.stdin?.write(`${[...this.#pids].join(' ')}\n`);
  }
}

/** The processes to be killed when this one exits. */
export const orphanReaper = new OrphanReaper();

// Keeps the latest line, and kills its processes at the end of the input.
const script = 'while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids';

function startShell(): ChildProcess {
  const shell = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without the shell, only processes that do not notice the exit of this one are left running.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  // The shell must not keep this process alive.
  shell.unref();
  if ('unref' in shell.stdin) (shell.stdin as unknown as { unref(): void }).unref();
  return shell;
}
