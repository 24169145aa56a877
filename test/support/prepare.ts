import type { TestProject } from 'vitest/node';
import { synthesise } from '../../src/local/template/synthesise.ts';
import { Service } from './service.ts';

/**
 * Builds and synthesises once, so that services that tests start are there in a second, and starts
 * the one that they share.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await synthesise(process.env);
  const service = await Service.start();
  project.provide('service', service.ready);
  return async () => {
    const { status, stderr } = await service.stop();
    if (status !== 0) throw new Error(`the shared service ended with ${status}: ${stderr}`);
  };
}
