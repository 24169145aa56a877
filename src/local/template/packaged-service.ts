import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../package-folder.ts';
import type { ServiceDefinition } from './service-definition.ts';

/**
 * Reads the service from the npm package. The package contains the service that the CDK app defined when the package
 * was built, with prebuilt bundles and one model without code. This model is the pattern for the user's models.
 */
export async function packagedService(): Promise<ServiceDefinition> {
  const built = join(packageFolder, 'dist');
  const text = await readFile(join(built, 'local', 'service.json'), 'utf8');
  const service = JSON.parse(text) as ServiceDefinition;
  const functions = service.functions.map((definition) => ({
    ...definition,
    codePath: join(built, 'lambdas', definition.codePath),
  }));
  return { ...service, functions };
}
