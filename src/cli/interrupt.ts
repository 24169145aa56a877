import { constants } from 'node:os';
import type { SignalSource } from './context.ts';

/**
 * How long additional signals are ignored, in milliseconds. If `bin/milepost.js` runs the command with another Node.js
 * binary, Ctrl+C reaches the command twice: from the terminal and from the first process.
 */
const graceMs = 1_000;

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs a function until it ends, the user presses Ctrl+C, or another program sends SIGTERM to this process. Either
 * signal aborts the `AbortSignal` that the function receives, and the resulting `AbortError` is ignored. A second
 * signal, at least a second later, terminates the process.
 *
 * @returns the exit status for the process signal, or undefined if there was none. As in shells, the status is 128 plus
 *   the number of the signal.
 */
export async function untilInterrupted(
  source: SignalSource,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<number | undefined> {
  const interrupted = new AbortController();
  let status: number | undefined;
  let grace: NodeJS.Timeout | undefined;
  const listeners = signals.map((signal) => ({
    signal,
    listener: () => {
      status ??= 128 + constants.signals[signal];
      grace ??= setTimeout(stopListening, graceMs).unref();
      interrupted.abort();
    },
  }));
  const stopListening = () => {
    clearTimeout(grace);
    for (const { signal, listener } of listeners) source.off(signal, listener);
  };
  for (const { signal, listener } of listeners) source.on(signal, listener);
  try {
    await run(interrupted.signal);
  } catch (error) {
    const isAbort = error instanceof Error && error.name === 'AbortError';
    if (!isAbort || !interrupted.signal.aborted) throw error;
  } finally {
    // After a signal, keep the listeners so that a duplicate that arrives after the function ends is ignored.
    if (status === undefined) stopListening();
  }
  return status;
}
