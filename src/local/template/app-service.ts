import { accountId, region } from '../../aws-local/account.ts';
import { readCloudAssembly } from './cloud-assembly.ts';
import type { ServiceDefinition } from './service-definition.ts';
import { type EnvironmentVariables, synthesize } from './synthesize.ts';

/**
 * Reads the service that the repository's CDK app defines, with every shipped model.
 *
 * @throws StartError with the output of the build or the app.
 */
export async function appService(
  env: EnvironmentVariables,
  signal?: AbortSignal,
): Promise<ServiceDefinition> {
  const assembly = await synthesize(env, signal);
  return readCloudAssembly(assembly, { stackName: 'Milepost', region, accountId });
}
