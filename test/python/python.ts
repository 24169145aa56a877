import { spawnSync } from 'node:child_process';

const oldEnough = 'import sys; sys.exit(sys.version_info < (3, 10))';

/** True if a suitable Python for the example exists, and a text for test names if not. */
export const python = (() => {
  const isThere = spawnSync('python3', ['-c', oldEnough]).status === 0;
  return { isThere, ifNot: isThere ? '' : ' (left out: it takes python3 3.10 or later)' };
})();
