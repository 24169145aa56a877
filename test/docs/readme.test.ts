import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ready } from '../../src/local/stack.ts';
import { awsVersion } from '../support/aws-command-line.ts';
import { copyOfProject } from '../support/copy-of-project.ts';
import { readme, shownFiles, writeShownFiles } from '../support/readme.ts';
import { freePorts } from '../support/service.ts';

const run = promisify(execFile);

/** A command of the README: a line of a `sh` block, with the lines that continue it. */
const commands = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block]) =>
  block!.trim().split(/(?<!\\)\n(?!\s)/),
);

// What .ci/run does on a clean clone, and what needs an AWS account.
const runElsewhere = [
  'npm ci && npm start',
  'npm ci && npm test',
  'npm run demo',
  'npx cdk synth',
  'npx cdk bootstrap',
  'npx cdk deploy',
];

/**
 * npx without npm before it, which takes longer than most commands: for all but the first, and for
 * the CDK, which starts esbuild by it for each model.
 */
const npx = `#!/bin/sh
[ "$1" = --no-install ] && shift
name=$1; shift
case $name in
  milepost) exec node bin/milepost.js "$@" ;;
  *) exec "$PWD/node_modules/.bin/$name" "$@" ;;
esac
`;
let isNpxShown = false;
const shortened = () =>
  [join(copy, '.shortcut'), dirname(process.execPath), process.env.PATH].join(delimiter);

let copy: string;
let ready: Ready;
let service: ReturnType<typeof spawn>;

beforeAll(async () => {
  copy = await copyOfProject();
  await writeShownFiles(copy, shownFiles);
  const event = { id: 'f1', type: 'parcel.packed', modelid: 'parcel', transactionid: 'P-2' };
  await writeFile(join(copy, 'events.ndjson'), `${JSON.stringify(event)}\n`);

  await mkdir(join(copy, '.shortcut'));
  await writeFile(join(copy, '.shortcut', 'npx'), npx, { mode: 0o755 });

  const env = { ...process.env, ...freePorts, PATH: shortened() };
  service = spawn('npm', ['start'], { cwd: copy, env });
  const lines = createInterface({ input: service.stdout! });
  for await (const line of lines)
    if (line.startsWith('{')) {
      ready = JSON.parse(line) as Ready;
      break;
    }
}, 120_000);

afterAll(async () => {
  const closed = once(service, 'close');
  service.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
  await rm(copy, { recursive: true, force: true });
});

/** A command as it has to be for this machine's AWS command line and this service's ports. */
function adapted(command: string): string {
  const moved = command
    .replaceAll('http://127.0.0.1:4500', ready.api)
    .replaceAll('http://127.0.0.1:4567', ready.kinesis);
  // As the README says of version 1.
  return awsVersion?.startsWith('aws-cli/1')
    ? moved.replace('--cli-binary-format raw-in-base64-out', '')
    : moved;
}

/** Runs a command as a reader would; what was put a moment ago may take a moment to show. */
async function output(command: string): Promise<string> {
  const isByNpm = command.startsWith('npx ') && !isNpxShown;
  isNpxShown ||= isByNpm;
  const env = {
    ...process.env,
    PATH: isByNpm ? process.env.PATH : shortened(),
    MILEPOST_API: ready.api,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    CDK_VALIDATION: 'false',
  };
  for (let tries = 1; ; tries++) {
    try {
      const options = { cwd: copy, env, maxBuffer: 64 * 1024 * 1024 };
      const { stdout, stderr } = await run('sh', ['-ec', adapted(command)], options);
      return stdout + stderr;
    } catch (error) {
      if (tries === 5) throw error;
      await pause(300);
    }
  }
}

describe('the README', () => {
  it('names the files that it shows', () => {
    expect(shownFiles.map(({ path }) => path)).toEqual([
      'models/parcel/model.ts',
      'models/parcel/lambda.ts',
      'test/models/parcel.test.ts',
    ]);
  });

  it('shows the ready line that npm start prints', () => {
    const shown = /^```json\n(.*?)^```/ms.exec(readme)?.[1] ?? '';
    expect(Object.keys(JSON.parse(shown) as object)).toEqual(Object.keys(ready));
  });

  const here = commands.filter((command) => !runElsewhere.includes(command));
  it('has commands, and those that run elsewhere are among them', () => {
    expect(commands).toEqual(expect.arrayContaining(runElsewhere));
    expect(here.length).toBeGreaterThan(10);
  });

  it.each(here.filter((command) => awsVersion !== undefined || !command.startsWith('aws ')))(
    'has a command that works: %s',
    async (command) => {
      expect(await output(command)).not.toBe('');
    },
    60_000,
  );

  it('ends where it says: the service is active, and the parcel packed', async () => {
    expect(await output('npx milepost status activation ATV-123')).toMatch(/Active/);
    expect(await output('npx milepost status parcel P-1')).toMatch(/Packed/);
    expect(await output('npx milepost status parcel P-2')).toMatch(/Packed/);
  });
});
