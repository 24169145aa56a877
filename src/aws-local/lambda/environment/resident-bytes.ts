import { readFileSync } from 'node:fs';

/**
 * The memory that a process holds at present, in bytes: heap, buffers and code. 0 where it is not
 * known: on other systems than Linux, and of a process that has ended.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
 */
export function residentBytes(pid: number): number {
  try {
    const [, kilobytes] =
      /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) * 1_024;
  } catch {
    return 0;
  }
}
