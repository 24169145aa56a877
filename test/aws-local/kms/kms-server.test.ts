import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { kms } from '../../../src/aws/client/kms.ts';
import { createKmsServer } from '../../../src/aws-local/kms/kms-server.ts';
import { listen } from '../../../src/aws-local/server/listen.ts';
import { serviceAt } from '../../support/service/service-at.ts';

const context = { model: 'claim', transaction: 'S-1' };
let path: string;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-kms-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  path = join(folder, 'data-key');
});

const start = () => listen(createKmsServer(path), 0);

it('data keys from concurrent first requests to the KMS endpoint can be decrypted after a restart', async () => {
  await using server = await start();
  const client = kms(serviceAt(server.url));
  const generated = await Promise.all(
    Array.from({ length: 20 }, () => client.generateDataKey('key', context)),
  );
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await using again = await start();
  const other = kms(serviceAt(again.url));
  for (const { plain, encrypted } of generated)
    expect(await other.decrypt('key', encrypted, context)).toEqual(plain);
});

it('the KMS endpoint returns status 500 while its key cannot be read, and then uses the restored key', async () => {
  await using server = await start();
  await kms(serviceAt(server.url)).generateDataKey('key', context);
  const valid = await readFile(path);
  await writeFile(path, 'short');
  await using again = await start();
  const request = () =>
    fetch(again.url, {
      method: 'POST',
      body: '{"KeyId":"key"}',
      headers: { 'x-amz-target': 'TrentService.GenerateDataKey' },
    });
  expect((await request()).status).toBe(500);
  await writeFile(path, valid);
  expect((await request()).status).toBe(200);
});
