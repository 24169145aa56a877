import { spawnSync } from 'node:child_process';

const oldEnough = 'import sys; sys.exit(sys.version_info < (3, 10))';

/** True if a suitable Python is installed, and the note in test names if not. */
export const python = (() => {
  const isThere = spawnSync('python3', ['-c', oldEnough]).status === 0;
  return { isThere, ifNot: isThere ? '' : ' (skipped: requires python3 3.10 or later)' };
})();
