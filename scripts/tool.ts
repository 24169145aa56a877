import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * `node scripts/tool.ts NAME ARGS...`: runs a tool of `npm run check` or `npm run test:package`. The
 * tools are a separate package in `scripts/tools` that the first run installs, so that `npm ci`
 * installs only what running and testing Milepost requires.
 */
const [name = '', ...args] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
const tools = join(import.meta.dirname, 'tools');
const wanted = join(tools, 'package-lock.json');
const isWindows = process.platform === 'win32';
// A copy of the installed lock file, written last.
const installed = join(tools, 'node_modules', '.installed-lock.json');

if (!existsSync(installed) || readFileSync(installed, 'utf8') !== readFileSync(wanted, 'utf8')) {
  process.stderr.write('Installing the tools of npm run check …\n');
  execFileSync('npm', ['ci', '--prefix', tools, '--loglevel=error'], {
    stdio: 'inherit',
    shell: isWindows,
  });
  copyFileSync(wanted, installed);
}

const programs = join(tools, 'node_modules', '.bin');
const { status, error } = spawnSync(join(programs, name), args, {
  cwd: root,
  stdio: 'inherit',
  // oxlint looks for its type-aware part next to the code that it checks.
  env: { ...process.env, OXLINT_TSGOLINT_PATH: join(programs, 'tsgolint') },
  shell: isWindows,
});
if (error) throw error;
process.exitCode = status ?? 1;
