import pMap from 'p-map';
import { isPackage } from '../package-folder.ts';
import { appService } from './template/app-service.ts';
import { packagedService } from './template/packaged-service.ts';
import type { ServiceDefinition } from './template/service-definition.ts';
import { withPrograms } from './template/with-programs.ts';
import { bundleModel } from './user-models/bundle-model.ts';
import { findModels } from './user-models/find-models.ts';
import { bundlePython, isPython, modelHostIn } from './user-models/python-model.ts';
import { withModels } from './user-models/with-models.ts';

/** What defining the service takes. */
export interface DefineOptions {
  /** The folder for the bundles of a user's models. */
  readonly bundles: string;
  /** The variables that a command started here should see. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends it early. */
  readonly signal?: AbortSignal;
}

/**
 * The service that this machine brings up: what the CDK app defines, with its models or a user's.
 *
 * @param models the folder with a user's models; undefined for those of the app.
 * @throws StartError for a folder without models, one that does not compile, or what the app said.
 */
export async function defineService(
  models: string | undefined,
  { bundles, env, signal }: DefineOptions,
): Promise<ServiceDefinition> {
  const found = models === undefined ? undefined : await findModels(models);
  const service = isPackage ? await packagedService() : await appService(env, signal);
  if (found === undefined) return withPrograms(service, env.PATH);
  const host = found.some(isPython) ? await modelHostIn(bundles) : '';
  const bundled = await pMap(found, (model) =>
    isPython(model) ? bundlePython(model, bundles, host) : bundleModel(model, bundles),
  );
  return withPrograms(withModels(service, bundled), env.PATH);
}
