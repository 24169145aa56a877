import { readFileSync } from 'node:fs';
import { commandLine, descendants } from '../compare/processes/process-tree.ts';

/**
 * Returns the memory of each process of a service in bytes, by a name that describes the work of the process. The
 * memory is the proportional set size: a page that n processes share counts as 1/n of a page for each of them.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_smaps.5.html
 */
export function memoryByProcess(pid: number): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const each of [pid, ...descendants(pid)]) {
    const name = each === pid ? 'service' : processName(commandLine(each));
    found.set(name, (found.get(name) ?? 0) + proportionalBytes(each));
  }
  return found;
}

/**
 * Returns the name of the function or endpoint that a process runs, or the end of its command for any other process.
 */
function processName(line: string): string {
  const [, name] = /"functionName":"([^"]+)"/.exec(line) ?? [];
  if (name !== undefined)
    return name.replace(/^Milepost-(?:Tracker)?/, '').replace(/[0-9A-F]{8}$/, '');
  const [, endpoint] = /(kinesalite|dynalite)-process/.exec(line) ?? [];
  return endpoint ?? line.split(' ').slice(0, 3).join(' ').slice(-40);
}

/**
 * Returns the CPU time of a process and its child processes in milliseconds, including child processes that have
 * exited.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export function cpuMs(pid: number): number {
  return [pid, ...descendants(pid)].reduce((sum, each) => sum + ownCpuMs(each), 0);
}

/** The unit of process times in /proc, in milliseconds. */
const tickMs = 10;

function ownCpuMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses. The name can contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // The fields are the user and system time of the process and of its exited child processes.
    return tickMs * fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0);
  } catch {
    return 0;
  }
}

function proportionalBytes(pid: number): number {
  try {
    const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(
      readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'),
    )!;
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}
