import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

/** The processor and the Node.js version on which the measurements run. */
export const machine = {
  cores: cpus().length,
  processor: cpus()[0]?.model ?? 'unknown',
  node: process.version,
};

/** Returns the one-minute load average: the average number of processes that were running or ready to run. */
export const load = (): number => Math.round(loadavg()[0]! * 100) / 100;

/** Returns the CPU seconds that all cores have used since the machine started. */
export function busySeconds(): number {
  // The columns are user, nice, system, idle, iowait, irq, softirq, and steal, in hundredths of a second.
  const [user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user! + nice! + system! + irq! + softirq!) / 100;
}
