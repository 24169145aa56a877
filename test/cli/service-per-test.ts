import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, vi } from 'vitest';
import type { SignalSource } from '../../src/cli/context.ts';
import { run } from './run.ts';
import { StubService } from './stub-service.ts';

/** The service of the current test: see `startServicePerTest`. */
export let service: StubService;

/** Starts a new service before each test in the file, and stops it after the test. */
export function startServicePerTest(): void {
  beforeEach(async () => {
    service = await new StubService().start();
  });
  afterEach(() => service.stop());
}

/** Runs a command that calls the service. */
export const ask = (argv: readonly string[], around: Parameters<typeof run>[1] = {}) =>
  run(['--api', service.url, ...argv], around);

/** A stand-in for a process that receives signals. */
export const signalSource = () =>
  Object.assign(new EventEmitter(), { pid: 4711, kill: vi.fn<SignalSource['kill']>() });

/** Returns the time that a command shows as the given number of minutes ago. */
export const minutesAgo = (minutes: number): string =>
  new Date(Date.now() - minutes * 60_000 - 1000).toISOString();
