// Starts endpoint processes, measures times, and prints tables for the DynamoDB and Kinesis scripts.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/support/free-port.ts';
import { useOf } from '../compare/processes/process-tree.ts';
import { median } from '../support/statistics.ts';

export const settings = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};

/** An endpoint to measure, with functions that return its command line and its environment variables. */
export interface Candidate {
  readonly name: string;
  readonly command: (port: number, folder: string) => readonly string[];
  readonly variables?: (port: number, folder: string) => Record<string, string>;
}

export interface Running {
  readonly url: string;
  readonly startMs: number;
  readonly memoryMb: () => number;
  readonly cpuSeconds: () => number;
  /** Kills the process with SIGKILL and resolves when it has exited. */
  readonly kill: () => Promise<void>;
}

/** Starts an endpoint and measures the time until it accepts the first connection. */
export async function start(candidate: Candidate, folder: string): Promise<Running> {
  const port = await freePort();
  const [file = '', ...args] = candidate.command(port, folder);
  const began = performance.now();
  const child = spawn(file, args, {
    stdio: ['pipe', 'ignore', 'ignore'], // Milepost's endpoints exit when standard input ends
    env: { ...process.env, ...candidate.variables?.(port, folder) },
  });
  // If a measurement fails, the child process is killed so that it does not keep the script running.
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  child.unref();
  (child.stdin as Socket).unref();
  await accepting(port, child);
  return {
    url: `http://127.0.0.1:${port}`,
    startMs: performance.now() - began,
    memoryMb: () => memoryMb(child.pid ?? 0),
    cpuSeconds: () => useOf(child.pid ?? 0)?.cpuSeconds ?? NaN,
    async kill() {
      process.off('exit', killAtExit);
      child.ref();
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/**
 * Calls `work` with the numbers from 0 to `count - 1`, with up to `width` concurrent calls. Returns the calls per
 * second.
 */
export async function perSecond(
  count: number,
  width: number,
  work: (index: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const began = performance.now();
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return (count * 1000) / (performance.now() - began);
}

/** Repeats a set of measurements and returns the median of each. */
export async function medians(
  runs: number,
  measure: () => Promise<Record<string, number>>,
): Promise<Record<string, number>> {
  const all: Record<string, number>[] = [];
  for (let run = 0; run < runs; run += 1) all.push(await measure());
  return Object.fromEntries(
    Object.keys(all[0] ?? {}).map((key) => [key, median(all.map((one) => one[key] ?? NaN))]),
  );
}

/** Prints a table with one row per measurement and one column per candidate. */
export function print(columns: Record<string, Record<string, number | string>>): void {
  const names = Object.keys(columns);
  const keys = [...new Set(names.flatMap((name) => Object.keys(columns[name] ?? {})))];
  process.stdout.write(`Machine load: ${loadavg().map(Math.round).join(', ')}\n\n`);
  const lines = [
    ['', ...names],
    ['---', ...names.map(() => '---')],
    ...keys.map((key) => [key, ...names.map((name) => cell(columns[name]?.[key]))]),
  ];
  for (const line of lines) process.stdout.write(`| ${line.join(' | ')} |\n`);
}

function cell(value: number | string | undefined): string {
  return typeof value === 'number' ? Math.round(value).toLocaleString('en') : (value ?? 'no');
}

export function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(`check failed: ${what}`);
}

async function accepting(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const accepted = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (accepted) return;
    await sleep(2);
  }
  throw new Error(`the endpoint exited with status ${child.exitCode} instead of listening`);
}

// Reads /proc, which exists only in Linux.
function memoryMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
