import type { SignalSource } from '../context.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs a function until it ends, the user presses Ctrl-C, or another program stops this process with SIGTERM. Stopping
 * aborts the signal that the function receives, and the resulting `AbortError` is ignored.
 */
export async function untilInterrupted(
  source: SignalSource,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  for (const signal of signals) source.on(signal, interrupt);
  try {
    await run(interrupted.signal);
  } catch (error) {
    const isAbort = error instanceof Error && error.name === 'AbortError';
    if (!isAbort || !interrupted.signal.aborted) throw error;
  } finally {
    for (const signal of signals) source.off(signal, interrupt);
  }
}
