import { spawnSync } from 'node:child_process';

const oldEnough = 'import sys; sys.exit(sys.version_info < (3, 10))';

/**
 * Whether this machine has a Python version that can run the example. If not, the tests are skipped, and their titles
 * contain the reason.
 */
export const python = (() => {
  const isThere = spawnSync('python3', ['-c', oldEnough]).status === 0;
  return { isThere, ifNot: isThere ? '' : ' (skipped: requires python3 3.10 or later)' };
})();
