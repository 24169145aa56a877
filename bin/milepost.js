#!/usr/bin/env node
import module from 'node:module';

// Plain JavaScript, so that an older Node.js says what is wrong instead of failing on TypeScript.
const wanted = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major >= wanted) {
  // Keeps what is compiled, TypeScript too, for the next run, which then starts in half the time.
  module.enableCompileCache();
  await import('./milepost.ts');
} else {
  process.stderr.write(
    `Milepost runs on Node.js ${wanted}, which npm ci installs beside it, and this is ${process.version}: ` +
      'use npm start or npx milepost, and let npm run install scripts\n',
  );
  process.exitCode = 1;
}
