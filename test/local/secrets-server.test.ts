import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { secretsManager } from '../../src/aws/client/secrets-manager.ts';
import { listen } from '../../src/local/listen.ts';
import { createSecretsServer } from '../../src/local/secrets-server.ts';
import { serviceAt } from '../support/service-at.ts';

it('has one secret, which it makes the first time and keeps', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-secrets-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'link-key');
  await using server = await listen(createSecretsServer(path), 0);
  const client = secretsManager(serviceAt(server.url));
  const secret = await client.secret('arn:aws:secretsmanager:a');
  expect(secret.length).toBeGreaterThan(32);
  expect(await client.secret('arn:aws:secretsmanager:b')).toBe(secret);
  expect((await readFile(path, 'utf8')).trim()).toBe(secret);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('offers nothing else', async () => {
  await using server = await listen(createSecretsServer(join(tmpdir(), 'none', 'none')), 0);
  const ask = (target: string) =>
    fetch(server.url, {
      method: 'POST',
      body: '{"SecretId":"a"}',
      headers: { 'x-amz-target': target },
    });
  expect((await ask('secretsmanager.DeleteSecret')).status).toBe(400);
  expect((await ask('secretsmanager.GetSecretValue')).status).toBe(500);
});
