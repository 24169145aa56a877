import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The folder of the package that lists the development tools. These tools are installed on first use, so `npm ci`
 * installs only the packages that Milepost needs to run and to pass its tests.
 */
const tools = join(import.meta.dirname, 'tools');

/**
 * Installs the development tools, unless the versions in the lock file are already installed. Returns the path of their
 * `node_modules`.
 */
export function installTools(): string {
  const locked = join(tools, 'package-lock.json');
  // A copy of the lock file from the last complete installation.
  const installed = join(tools, 'node_modules', '.installed-lock.json');
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== readFileSync(locked, 'utf8')) {
    process.stderr.write('installing the development tools…\n');
    execFileSync('npm', ['ci', '--prefix', tools, '--loglevel=error'], {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    copyFileSync(locked, installed);
  }
  return join(tools, 'node_modules');
}
