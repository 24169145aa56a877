import type { SignalSource } from '../context.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs what goes on until somebody ends it: its signal is aborted at Ctrl-C, and what it then throws
 * for being aborted is no error.
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
