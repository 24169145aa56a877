import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { deployedFolder } from '../../support/service/deployed-folder.ts';
import { instancePath, Service } from '../../support/service/service.ts';
import { assemblyWith } from './changing-model/assembly.ts';

interface History {
  readonly entries: { modelVersion: number; status: string; state: object }[];
}
interface Versions {
  readonly versions: { functionVersion: string; version: number; current: boolean }[];
}

const model = '/api/models/session';

/** Sends an event to an instance and returns the model versions that applied its events. */
async function count(service: Service, transaction: string, id: string) {
  const path = `${instancePath('session', transaction)}/history`;
  const before = await service.ask<Partial<History>>(path);
  const known = before.body.entries?.length ?? 0;
  await service.post({ id, type: 'counted', modelid: 'session', transactionid: transaction });
  const { entries } = await service.eventually<History>(
    path,
    (history) => history.entries.length > known,
  );
  return entries.map(({ modelVersion, status, state }) => [modelVersion, status, state]);
}

it('instances migrate when a model changes, and a rollback runs the stored code, even after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-versions-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const data = await deployedFolder();
  const start = async (assembly: string) => {
    const service = await Service.start({
      MILEPOST_DATA: data,
      NODE_OPTIONS: `--import=${import.meta.resolve('./changing-model/deploy.ts')}`,
      ASSEMBLY: assembly,
    });
    onTestFinished(async () => void (await service.stop()));
    return service;
  };
  const first = await start(
    await assemblyWith(import.meta.resolve('./changing-model/model-1.ts'), folder),
  );
  await count(first, 'A', 'a1');
  await count(first, 'B', 'b1');
  expect((await first.stop()).status).toBe(0);

  const second = await start(
    await assemblyWith(import.meta.resolve('./changing-model/model-2.ts'), folder),
  );
  let drawn = 0;
  expect(await count(second, 'A', 'a2')).toEqual([
    [1, 'Counting', { count: 1 }],
    [2, 'Totalling', { total: 20 }],
  ]);
  const { versions } = (await second.ask<Versions>(`${model}/versions`)).body;
  // The first version is the shipped model.
  expect(versions).toMatchObject([
    { functionVersion: '3', version: 2, current: true },
    { functionVersion: '2', version: 1, current: false },
    { functionVersion: '1', version: 1, current: false },
  ]);
  const rollback = { method: 'POST', body: JSON.stringify({ functionVersion: '2' }) };
  expect(await second.ask(`${model}/rollback`, rollback)).toMatchObject({
    status: 200,
    body: { functionVersion: '2', version: 1, current: true },
  });
  expect((await second.ask(model)).body).toMatchObject({
    version: 1,
    title: 'Counts',
    functionArn: expect.stringMatching(/:2$/),
  });
  await expect
    .poll(async () => (await count(second, `N${++drawn}`, 'n')).at(-1), { timeout: 40_000 })
    .toEqual([1, 'Counting', { count: 1 }]);
  expect(await count(second, 'B', 'b2')).toEqual([
    [1, 'Counting', { count: 1 }],
    [1, 'Counting', { count: 2 }],
  ]);
  // The code that the rollback restored migrates the instance to its own version.
  expect((await count(second, 'A', 'a3')).at(-1)).toEqual([1, 'Counting', { count: 3 }]);
}, 90_000);
