import { readFileSync, readlinkSync } from 'node:fs';

/* What Linux tells of processes: https://man7.org/linux/man-pages/man5/proc.5.html */

/** What a process has used since it was started. */
export interface Use {
  readonly cpuSeconds: number;
  /** The most memory of its own that it had at a time. */
  readonly peakBytes: number;
  /** Memory that it has in common with others of the same program: its code, shared buffers. */
  readonly sharedBytes: number;
  readonly program: string;
}

/** In which Linux counts the time of processes, whatever its kernel's own clock does. */
const ticksPerSecond = 100;

/** The file's text; undefined where the process has gone. */
function tell(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** The words that a process was started with. */
export const commandLine = (pid: number): string =>
  tell(pid, 'cmdline')?.replaceAll('\0', ' ') ?? '';

/** The processes that a process started, and those that these started. */
export function descendants(pid: number): number[] {
  const children = tell(pid, `task/${pid}/children`)?.split(' ').filter(Boolean).map(Number) ?? [];
  return children.flatMap((child) => [child, ...descendants(child)]);
}

/** What a process has used; undefined where it has gone. */
export function useOf(pid: number): Use | undefined {
  const stat = tell(pid, 'stat');
  const status = tell(pid, 'status');
  if (stat === undefined || status === undefined) return undefined;
  // The second field is the program's name, in parentheses, and may have any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const bytes = (name: string) =>
    1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  const shared = bytes('RssShmem') + bytes('RssFile');
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    peakBytes: bytes('VmHWM') - shared,
    sharedBytes: shared,
    program: programOf(pid),
  };
}

function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return 'gone';
  }
}
