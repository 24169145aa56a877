import { spawnSync } from 'node:child_process';

const oldEnough = 'import sys; sys.exit(sys.version_info < (3, 10))';

/** Whether there is a Python that the example runs on, and what to say where there is not. */
export const python = (() => {
  const isThere = spawnSync('python3', ['-c', oldEnough]).status === 0;
  return { isThere, ifNot: isThere ? '' : ' (left out: it takes python3 3.10 or later)' };
})();
