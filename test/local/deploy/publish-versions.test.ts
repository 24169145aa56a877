import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { publishVersions } from '../../../src/local/deploy/publish-versions.ts';
import { call, define, hostOf } from '../../aws-local/lambda/bundles.ts';

const saying = (text: string) => `export const handler = () => ${JSON.stringify(text)};`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-versions-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

/** Publishes code under a logical id. Returns the versions after the publication. */
async function deploy(id: string, text = id) {
  const orders = await define('orders', saying(text));
  const [published] = await publishVersions(
    { functions: [orders], versions: [{ id, functionName: 'orders' }] },
    folder,
  );
  return { orders, versions: published!.versions };
}
const numbers = async (id: string) => (await deploy(id)).versions.map(({ version }) => version);

it('publishVersions publishes a version only if the function has changed', async () => {
  expect(await numbers('A')).toEqual(['1']);
  expect(await numbers('A')).toEqual(['1']);
  expect(await numbers('B')).toEqual(['2', '1']);
  expect(await numbers('A')).toEqual(['3', '2', '1']);
});

it('a published version keeps its code when the function is updated', async () => {
  const first = await deploy('A', 'old');
  await writeFile(join(first.orders.codePath, 'index.mjs'), saying('changed'));
  const { orders, versions } = await deploy('B', 'new');
  const host = hostOf([orders]);
  host.defineVersions('orders', versions);
  expect((await call(host, 'orders')).result).toBe('new');
  expect((await call(host, 'orders:2')).result).toBe('new');
  expect((await call(host, `${orders.arn}:1`)).result).toBe('old');
});

it('publishVersions keeps the newest 20 versions', async () => {
  for (let index = 1; index <= 22; index++) await deploy(`V${index}`);
  const { versions } = await deploy('V23');
  expect(versions.map(({ version }) => Number(version))).toEqual(
    Array.from({ length: 20 }, (_, index) => 23 - index),
  );
  expect(await readdir(join(folder, 'orders'))).toHaveLength(20);
});

it('publishVersions replaces a version whose write was interrupted', async () => {
  await deploy('A');
  await mkdir(join(folder, 'orders', 'unfinished', 'code'), { recursive: true });
  await writeFile(join(folder, 'orders', 'unfinished', 'code', 'half.mjs'), '');
  const { versions } = await deploy('B');
  expect(versions.map(({ version }) => version)).toEqual(['2', '1']);
  expect(await readdir(versions[0]!.codePath)).toEqual(['index.mjs']);
});

it('publishVersions fails with the path of an unreadable version and a remedy', async () => {
  await deploy('A');
  await writeFile(join(folder, 'orders', '1', 'version.json'), '{');
  await expect(deploy('B')).rejects.toThrow(
    /version\.json cannot be read: .*; restore the file, or delete .*\/1 to discard this version$/,
  );
});
