import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartError } from '../../../src/aws-local/server/start-error.ts';
import type { DeployedResource } from '../../../src/local/deploy/custom-resources.ts';
import { openDataFolder } from '../../../src/local/settings/data-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'milepost-data-folder-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const resource: DeployedResource = {
  logicalId: 'Orders',
  type: 'Custom::MilepostModel',
  functionName: 'registrar',
  properties: { ModelId: 'orders', more: [1, null] },
  physicalId: 'orders',
};

/** Returns the message of an error, after checking that the error is a StartError with a one-line message. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StartError);
  const { message } = error as StartError;
  expect(message).not.toContain('\n');
  return message;
}

describe('the data folder of the local service', () => {
  // Only Linux has /dev/full, where writes fail as on a full disk.
  it.skipIf(process.platform !== 'linux')(
    'is reported as not writable if the disk is full',
    async () => {
      symlinkSync('/dev/full', join(root, `.probe-${process.pid}`));
      expect(await refusal(openDataFolder(root))).toBe(
        `the data folder ${root} is not writable: ENOSPC: no space left on device, write`,
      );
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'causes an error with the name of the file if the disk becomes full',
    async () => {
      const folder = await openDataFolder(root);
      symlinkSync('/dev/full', join(root, 'deployed.json.tmp'));
      await expect(folder.writeDeployed([resource])).rejects.toThrow(
        `cannot write ${join(root, 'deployed.json')}: ENOSPC: no space left on device, write`,
      );
      await folder.dispose();
    },
  );

  it('is created with only a lock file in it', async () => {
    const path = join(root, 'deep', 'er');
    const folder = await openDataFolder(path);
    expect(readdirSync(path)).toEqual(['lock']);
    expect(folder).toMatchObject({
      endpoints: path,
      checkpoints: join(path, 'checkpoints'),
      buckets: join(path, 'buckets'),
      bundles: join(path, 'bundles'),
    });
  });

  it('stores deployed resources between runs', async () => {
    const first = await openDataFolder(root);
    expect(await first.readDeployed()).toEqual([]);
    await first.writeDeployed([resource]);
    await first.dispose();
    const second = await openDataFolder(root);
    expect(await second.readDeployed()).toEqual([resource]);
    await second.writeDeployed([{ ...resource, unsettled: true }]);
    expect(await second.readDeployed()).toEqual([{ ...resource, unsettled: true }]);
    await second.writeDeployed([]);
    expect(await second.readDeployed()).toEqual([]);
    expect(readdirSync(root)).toEqual(['deployed.json', 'lock']);
  });

  it('can be used by only one service at a time', async () => {
    const first = await openDataFolder(root);
    expect(await refusal(openDataFolder(root))).toBe(
      `the data folder ${root} is in use by another Milepost service; stop that service, or set MILEPOST_DATA to another folder`,
    );
    await first.dispose();
    await (await openDataFolder(root)).dispose();
  });

  it('is unlocked when the process of the service is killed', async () => {
    const module = new URL('../../../src/local/settings/folder-lock.ts', import.meta.url).href;
    const code = `import { lockFolder } from '${module}'; globalThis.lock = lockFolder(${JSON.stringify(root)}); console.log('locked'); setInterval(() => {}, 1000);`;
    const other = spawn(process.execPath, ['--input-type=module', '--eval', code]);
    await once(other.stdout, 'data');
    expect(await refusal(openDataFolder(root))).toContain('is in use by another Milepost');
    other.kill('SIGKILL');
    await once(other, 'exit');
    await (await openDataFolder(root)).dispose();
  });

  it('is rejected if another program uses the name of its lock file', async () => {
    writeFileSync(join(root, 'lock'), 'the lock of another program');
    expect(await refusal(openDataFolder(root))).toBe(
      `the data folder ${root} cannot be locked with the file ${join(root, 'lock')}: file is not a database; set MILEPOST_DATA to another folder`,
    );
  });

  it('is rejected if the path of its lock file is longer than SQLite permits', async () => {
    const path = join(root, ...Array.from({ length: 3 }, () => 'x'.repeat(200)));
    expect(await refusal(openDataFolder(path))).toContain(
      'unable to open database file; set MILEPOST_DATA to another folder',
    );
  });

  it('is a temporary folder if none is configured', async () => {
    const folder = await openDataFolder(null);
    expect(folder).toMatchObject({ endpoints: null, checkpoints: null });
    await folder.writeDeployed([resource]);
    expect(await folder.readDeployed()).toEqual([resource]);
    const path = dirname(folder.buckets);
    expect(existsSync(path)).toBe(true);
    await folder.dispose();
    expect(existsSync(path)).toBe(false);
  });

  it('is reported as not writable if part of its path is a regular file', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'below')])
      expect(await refusal(openDataFolder(path))).toContain(
        `the data folder ${path} is not writable: `,
      );
  });

  // In /proc, Linux reports each new entry as missing, although the folder exists.
  it.skipIf(process.platform !== 'linux')(
    'is reported as not writable if it is a path in /proc',
    async () => {
      for (const path of ['/proc/milepost', '/proc/milepost/below'])
        expect(await refusal(openDataFolder(path))).toBe(
          `the data folder ${path} is not writable: ENOENT: no such file or directory, mkdir '/proc/milepost'`,
        );
    },
  );

  it.each([
    ['no text', ''],
    ['half a file', '[{"logicalId":'],
    ['multiline text that is not JSON', 'oops\n  and more'],
    ['an object', '{}'],
    ['null', 'null'],
    ['invalid entries', '[{"logicalId":"Orders"}]'],
  ])('is reported as unreadable if deployed.json contains %s', async (_, text) => {
    const folder = await openDataFolder(root);
    const file = join(root, 'deployed.json');
    writeFileSync(file, text);
    const message = await refusal(folder.readDeployed());
    expect(message).toContain(`${file} cannot be read: `);
    expect(message).toContain('; restore the file, or delete it to register all models again');
  });
});
