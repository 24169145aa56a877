import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installTools } from './install-tools.ts';

/* `node scripts/tool.ts NAME ARGS...` runs one of the development tools, such as a linter. */
const [name = '', ...args] = process.argv.slice(2);
const programs = join(installTools(), '.bin');
const { status, error } = spawnSync(join(programs, name), args, {
  cwd: join(import.meta.dirname, '..'),
  stdio: 'inherit',
  // By default, oxlint looks for its type-aware part, `tsgolint`, in the linted project.
  env: { ...process.env, OXLINT_TSGOLINT_PATH: join(programs, 'tsgolint') },
  shell: process.platform === 'win32',
});
if (error) throw error;
process.exitCode = status ?? 1;
