import { join } from 'node:path';
import type { ServiceDefinition } from '../template/service-definition.ts';
import { bundleModel } from '../user-models/bundle-model.ts';
import { findModels } from '../user-models/find-models.ts';
import { deploymentOf, deploymentPattern, withModel } from '../user-models/with-models.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'examples', 'demo');

/**
 * Adds to a service the models that exist only in the demo.
 *
 * @param bundles the folder for the bundles of models.
 */
export async function withDemoModels(
  service: ServiceDefinition,
  bundles: string,
): Promise<ServiceDefinition> {
  const found = await findModels(folder);
  const bundled = await Promise.all(found.map((model) => bundleModel(model, bundles)));
  const pattern = deploymentPattern(service);
  return bundled.reduce((all, model) => withModel(all, deploymentOf(pattern, model)), service);
}
