import { readFileSync, readlinkSync } from 'node:fs';

/*
 * Reads information about processes from Linux's /proc.
 * @see https://man7.org/linux/man-pages/man5/proc.5.html
 */

/** The resources that a process has used since its start. */
export interface Use {
  readonly cpuSeconds: number;
  /** The peak of the process's private memory, in bytes. */
  readonly peakBytes: number;
  /** The memory in bytes that processes of the same program share, such as code and shared buffers. */
  readonly sharedBytes: number;
  readonly program: string;
}

/**
 * The number of clock ticks per second. Process times in /proc are in clock ticks, whose length does not depend on the
 * kernel's timer frequency.
 */
const ticksPerSecond = 100;

/** Reads a file in the /proc folder of a process. Returns undefined if the process has exited. */
function tell(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** Returns the command line of a process, or an empty string if the process has exited. */
export const commandLine = (pid: number): string =>
  tell(pid, 'cmdline')?.replaceAll('\0', ' ') ?? '';

/** Returns the ids of the direct and indirect child processes of a process. */
export function descendants(pid: number): number[] {
  const children = tell(pid, `task/${pid}/children`)?.split(' ').filter(Boolean).map(Number) ?? [];
  return children.flatMap((child) => [child, ...descendants(child)]);
}

/** Returns the resources that a process has used, or undefined if the process has exited. */
export function useOf(pid: number): Use | undefined {
  const stat = tell(pid, 'stat');
  const status = tell(pid, 'status');
  if (stat === undefined || status === undefined) return undefined;
  // The second field is the program's name in parentheses. The name can contain any character.
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
