import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { secretsManager } from '../../../src/aws/client/secrets-manager.ts';
import { createSecretsManagerServer } from '../../../src/aws-local/secrets-manager/secrets-manager-server.ts';
import { listen } from '../../../src/aws-local/server/listen.ts';
import { readKeyRing } from '../../../src/core/event/key-ring.ts';
import { serviceAt } from '../../support/service/service-at.ts';

const linkKey = { name: 'link-key', length: 64 };
const signingKeys = { name: 'signing-keys', length: 64, object: { template: {}, key: '0' } };
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-secrets-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

const start = () =>
  listen(createSecretsManagerServer(join(folder, 'secrets'), [linkKey, signingKeys]), 0);

it('the Secrets Manager endpoint creates each secret on first use and keeps it after a restart', async () => {
  await using server = await start();
  const client = secretsManager(serviceAt(server.url));
  const asked = await Promise.all([client.current('link-key'), client.current('link-key')]);
  const [{ value }] = asked;
  expect(value).toMatch(/^\w{64}$/);
  expect(asked[1]).toEqual(asked[0]);
  const path = join(folder, 'secrets', 'link-key');
  expect((await readFile(path, 'utf8')).trim()).toBe(value);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await using again = await start();
  expect(await secretsManager(serviceAt(again.url)).current('link-key')).toEqual(asked[0]);
});

it('the Secrets Manager endpoint creates a key ring with one key from a template', async () => {
  await using server = await start();
  const { value } = await secretsManager(serviceAt(server.url)).current('signing-keys');
  expect([...readKeyRing(value).keys()]).toEqual(['0']);
});

it('the Secrets Manager endpoint returns `ResourceNotFoundException` for an unknown secret', async () => {
  await using server = await start();
  await expect(secretsManager(serviceAt(server.url)).current('other')).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
});

it('the Secrets Manager endpoint returns status 400 for an unsupported operation and status 500 if it cannot store a secret', async () => {
  // The folder cannot be created, because a file has the same path.
  await writeFile(join(folder, 'secrets'), '');
  await using server = await start();
  const ask = (target: string) =>
    fetch(server.url, {
      method: 'POST',
      body: '{"SecretId":"link-key"}',
      headers: { 'x-amz-target': target },
    });
  expect((await ask('secretsmanager.DeleteSecret')).status).toBe(400);
  expect((await ask('secretsmanager.GetSecretValue')).status).toBe(500);
});
