import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/*
 * Runs after `npm ci`: removes about 100 MB of installed files that Milepost does not use at run time. This script is
 * plain JavaScript, because some machines run it on a Node.js version that does not strip types.
 */
const packages = join(import.meta.dirname, '..', 'node_modules');

const installed = await readdir(packages);
// Remove headers for native addons, the manual page, scripts for debuggers, and the changelog.
const node = installed.filter((name) => /^node-(?:bin-)?(?:darwin|linux|win)-/.test(name));
for (const name of node)
  for (const unused of ['include', 'share', 'CHANGELOG.md']) await remove(name, unused);

// Remove files for programming languages other than JavaScript, and the data for examples in the CDK's documentation.
for (const unused of ['.jsii.gz', '.jsii.tabl.json.gz', 'rosetta'])
  await remove('aws-cdk-lib', unused);

// Remove builds and translations of the libraries that provide time zone data.
for (const unused of ['dist', 'locale', 'min', 'src', 'ts3.1-typings'])
  await remove('moment', unused);
await remove('moment-timezone', 'builds');

// Remove prebuilt addons for other platforms, and the source code of all addons.
for (const name of ['classic-level', 'leveldown']) {
  const prebuilt = await readdir(join(packages, name, 'prebuilds')).catch(() => []);
  const fitting = prebuilt.filter((folder) => fits(folder));
  if (fitting.length === 0) continue;
  for (const folder of prebuilt.filter((each) => !fitting.includes(each)))
    await remove(name, 'prebuilds', folder);
  await remove(name, 'deps');
}

/** @param {string} folder such as `linux-x64`, or `darwin-x64+arm64` for two architectures */
function fits(folder) {
  const [system, architectures = ''] = folder.split('-');
  return system === process.platform && architectures.split('+').includes(process.arch);
}

/** @param {string[]} path below node_modules */
function remove(...path) {
  return rm(join(packages, ...path), { recursive: true, force: true });
}
