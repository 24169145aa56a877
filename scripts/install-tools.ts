import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The package of development tools. They are installed on first use, so that `npm ci` installs only packages that
 * running and testing Milepost requires.
 */
const tools = join(import.meta.dirname, 'tools');

/**
 * Installs the development tools, unless the versions in the lock file are already installed. Returns the path of their
 * `node_modules`.
 */
export function installTools(): string {
  const locked = join(tools, 'package-lock.json');
  // A copy of the lock file of the last complete installation.
  const installed = join(tools, 'node_modules', '.installed-lock.json');
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== readFileSync(locked, 'utf8')) {
    process.stderr.write('installing the development tools …\n');
    execFileSync('npm', ['ci', '--prefix', tools, '--loglevel=error'], {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    copyFileSync(locked, installed);
  }
  return join(tools, 'node_modules');
}
