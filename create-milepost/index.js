#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// `npm create milepost x` runs `milepost init x` with the Milepost version that this package depends on.
const require = createRequire(import.meta.url);
const manifest = require.resolve('milepost/package.json');
const command = join(dirname(manifest), require(manifest).bin.milepost);
const { status } = spawnSync(process.execPath, [command, 'init', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
