import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

/** The machine that the figures come from. */
export const machine = {
  cores: cpus().length,
  processor: cpus()[0]?.model ?? 'unknown',
  node: process.version,
};

/** The average number of processes that wanted to run in the last minute. */
export const load = (): number => Math.round(loadavg()[0]! * 100) / 100;

/** The CPU seconds that the whole machine has spent since its start. */
export function busySeconds(): number {
  // user, nice, system, idle, iowait, irq, softirq, steal, in hundredths of a second.
  const [user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user! + nice! + system! + irq! + softirq!) / 100;
}
