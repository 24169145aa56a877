import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { EndpointExit } from './endpoint.ts';

const killAfterMs = 5_000;
const lastWordsLength = 2_000;

/** A running process, its end, and the way to bring that about. */
export interface SupervisedProcess {
  readonly exited: Promise<EndpointExit>;
  readonly close: () => Promise<void>;
}

/**
 * Follows a child process to its end. It goes by itself when its standard input ends, which also
 * happens when this process is killed; where it does not, `close` kills it.
 */
export function supervise(child: ChildProcessWithoutNullStreams): SupervisedProcess {
  let lastWords = '';
  let expected = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-lastWordsLength);
  });
  child.stdin.on('error', () => {}); // it is gone already, and `exited` tells
  child.once('exit', () => child.stdin.end()); // what it started itself goes along
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
