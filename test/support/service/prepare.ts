import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { synthesize } from '../../../src/local/template/synthesize.ts';
import { Service } from './service.ts';

/**
 * Builds, synthesizes, and deploys the service once so that each test can start it within a second. Starts the shared
 * service.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await synthesize(process.env);
  const folders = await mkdtemp(join(tmpdir(), 'milepost-tests-'));
  const deployed = join(folders, 'deployed');
  await stop(await Service.start({ MILEPOST_DATA: deployed }));
  project.provide('folders', folders);

  const data = join(folders, 'shared');
  await cp(deployed, data, { recursive: true });
  const service = await Service.start({ MILEPOST_DATA: data });
  project.provide('service', service.ready);
  return async () => {
    await stop(service);
    await rm(folders, { recursive: true, force: true });
  };
}

async function stop(service: Service): Promise<void> {
  const { status, stderr } = await service.stop();
  if (status !== 0) throw new Error(`a service exited with status ${status}: ${stderr}`);
}
