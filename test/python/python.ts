import { spawnSync } from 'node:child_process';

const oldEnough = 'import sys; sys.exit(sys.version_info < (3, 10))';

/** True if there is a Python that can run the example; otherwise the reason for skipping the tests. */
export const python = (() => {
  const isThere = spawnSync('python3', ['-c', oldEnough]).status === 0;
  return { isThere, ifNot: isThere ? '' : ' (left out: it takes python3 3.10 or later)' };
})();
