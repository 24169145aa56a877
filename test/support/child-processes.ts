import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process that the service started. */
export interface ChildProcessEntry {
  readonly pid: number;
  readonly command: string;
}

/** Returns the direct child processes of a process, sorted by their commands. */
export async function childProcessesOf(parent: number): Promise<ChildProcessEntry[]> {
  const { stdout } = await run('ps', ['-axww', '-o', 'pid=,ppid=,args='], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout
    .trim()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .flatMap((found) =>
      found && Number(found[2]) === parent ? { pid: Number(found[1]), command: found[3]! } : [],
    )
    .toSorted((a, b) => (a.command < b.command ? -1 : 1));
}

/** Kills a process with SIGKILL if it still exists. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
