import { join } from 'node:path';
import pMap from 'p-map';
import { isPackage, packageFolder } from '../package-folder.ts';
import { withDemoModels } from './demo/with-demo-models.ts';
import { appService } from './template/app-service.ts';
import { packagedService } from './template/packaged-service.ts';
import type { ServiceDefinition } from './template/service-definition.ts';
import { withPrograms } from './template/with-programs.ts';
import { bundleModel } from './user-models/bundle-model.ts';
import { findModels } from './user-models/find-models.ts';
import { bundlePython, isPython, modelHostIn } from './user-models/python-model.ts';
import { withModels } from './user-models/with-models.ts';

/** The folder of the CDK app's models. */
const appModels = join(packageFolder, 'models');

export interface DefineOptions {
  /** The folder for the bundles of a user's models, or of the models that exist only in the demo. */
  readonly bundles: string;
  /** The environment variables that child processes inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts the build of the CDK app. */
  readonly signal?: AbortSignal;
  /** True to add the models that exist only in the demo. Ignored if the service has a user's models. */
  readonly demo?: boolean;
}

/**
 * Defines the service that runs on this machine: the service of the CDK app, with the app's models or the models of a
 * user's project.
 *
 * @param models the folder with a user's models, or undefined for the app's models.
 * @throws StartError if the folder contains no models, a model does not compile, or the app fails.
 */
export async function defineService(
  models: string | undefined,
  { bundles, env, signal, demo }: DefineOptions,
): Promise<ServiceDefinition> {
  const found = models === undefined ? undefined : await findModels(models);
  const service = isPackage ? await packagedService() : await appWithModels(env, bundles, signal);
  if (found === undefined)
    return withPrograms(demo ? await withDemoModels(service, bundles) : service, env.PATH);
  const host = found.some(isPython) ? await modelHostIn(bundles) : '';
  const bundled = await pMap(found, (model) =>
    isPython(model) ? bundlePython(model, bundles, host) : bundleModel(model, bundles),
  );
  return withPrograms(withModels(service, bundled), env.PATH);
}

/** Reads the service of the CDK app. If the app fails because of a model, throws the model's error instead. */
async function appWithModels(
  env: DefineOptions['env'],
  bundles: string,
  signal: AbortSignal | undefined,
): Promise<ServiceDefinition> {
  try {
    return await appService(env, signal);
  } catch (error) {
    signal?.throwIfAborted();
    for (const model of await findModels(appModels)) await bundleModel(model, bundles);
    throw error;
  }
}
