import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { EndpointExit } from './endpoint.ts';

const killAfterMs = 5_000;
const lastWordsLength = 2_000;

/** The exit of a child process, and a function that stops it. */
export interface SupervisedProcess {
  readonly exited: Promise<EndpointExit>;
  readonly close: () => Promise<void>;
}

/**
 * Supervises a child process. The child exits when its standard input ends, which also happens when this process is
 * killed. `close` ends the child's standard input, and kills a child that does not exit within 5 seconds.
 */
export function supervise(child: ChildProcessWithoutNullStreams): SupervisedProcess {
  let lastWords = '';
  let expected = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-lastWordsLength);
  });
  child.stdin.on('error', () => {}); // the process has already exited; `exited` reports the exit
  child.once('exit', () => child.stdin.end()); // child processes that inherited the child's standard input then exit too
  const exited = new Promise<EndpointExit>((resolve) => {
    child.once('close', (status, signal) => resolve({ expected, status, signal, lastWords }));
    child.once('error', (error) => {
      if (child.pid !== undefined) return;
      resolve({ expected, status: null, signal: null, lastWords: error.message });
    });
  });
  return {
    exited,
    async close() {
      expected = true;
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** Returns the end of a process's standard error or, if it printed nothing, how the process exited. */
export const exitReason = ({ lastWords, signal, status }: EndpointExit): string =>
  lastWords.trim() || `its process exited with ${signal ?? `status ${status}`}`;
