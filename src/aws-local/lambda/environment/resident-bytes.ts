import { readFileSync } from 'node:fs';

/**
 * Returns the current resident memory of a process in bytes: heap, buffers, and code. Returns 0 on systems other than
 * Linux, and after the process has exited.
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
