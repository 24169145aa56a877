import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Kills process groups when this process exits, even if it is killed. Otherwise, a child process in an endless loop
 * would keep running. A shell, whose standard input is a pipe from this process, detects the exit and kills the groups.
 * Has no effect on Windows, which has no `/bin/sh`.
 */
class OrphanReaper {
  readonly #leaders = new Set<number>();
  #shell: ChildProcess | undefined;

  /** Registers a process group, by its leader, to be killed when this process exits. */
  add(pid: number): void {
    this.#shell ??= startShell();
    this.#leaders.add(pid);
    this.#update();
  }

  /** Unregisters the group of a process that has exited. */
  delete(pid: number): void {
    this.#leaders.delete(pid);
    this.#update();
  }

  #update(): void {
    // `kill` expects the id of a group as a negative number.
    const groups = [...this.#leaders].map((pid) => -pid);
    this.#shell?.stdin?.write(`${groups.join(' ')}\n`);
  }
}

/** The process groups to be killed when this process exits. */
export const orphanReaper = new OrphanReaper();

// The script remembers the latest line of group ids, and kills these groups at the end of the input.
const script = 'while read -r line; do groups=$line; done; [ -z "$groups" ] || kill -9 $groups';

function startShell(): ChildProcess {
  const shell = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Ignore a failure to start the shell. Child processes still exit by themselves, except processes in an endless loop.
  shell.on('error', () => {});
  // If this process has too many open files, the shell has no standard input.
  shell.stdin?.on('error', () => {});
  // The shell must not keep this process alive.
  shell.unref();
  if (shell.stdin && 'unref' in shell.stdin) (shell.stdin as unknown as { unref(): void }).unref();
  return shell;
}
