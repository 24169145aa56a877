import { hash } from 'node:crypto';
import { basename } from 'node:path';
import type { FunctionDefinition } from '../../aws-local/lambda/function-definition.ts';
import type {
  CustomResourceDefinition,
  ServiceDefinition,
  VersionDefinition,
} from '../template/service-definition.ts';
import { TemplateError, versionNumberToken } from '../template/template.ts';

/** A model's code, bundled. */
export interface BundledModel {
  readonly id: string;
  /** The folder with its `index.mjs` or `model.py`, named by what is in that. */
  readonly codePath: string;
  /** Where it is a function in Python, the folder with the bundle of the Lambda that comes before it. */
  readonly host?: string;
}

/** A model as it is deployed: what runs it, as which version, and what registers it. */
export interface ModelDeployment {
  readonly function: FunctionDefinition;
  /** None where going back to it would not bring its code back. */
  readonly version: VersionDefinition | undefined;
  readonly registration: CustomResourceDefinition;
  /** Where its code is a function of its own, that function. */
  readonly foldFunction: FunctionDefinition | undefined;
}

const registrationType = 'Custom::MilepostModel';

/**
 * The service with these models and no others. Each is deployed as those that the service has, so with
 * all that the construct gives a model.
 *
 * @throws TemplateError for a service that has no model to take as the pattern.
 */
export function withModels(
  service: ServiceDefinition,
  models: readonly BundledModel[],
): ServiceDefinition {
  const ofModels = new Set(deployedModels(service).map((model) => model.function.name));
  const pattern = deploymentPattern(service);
  const deployments = models.map((model) => deploymentOf(pattern, model));
  return {
    ...service,
    functions: [
      ...service.functions.filter(({ name }) => !ofModels.has(name)),
      ...deployments.flatMap(({ function: its, foldFunction }) =>
        foldFunction ? [its, foldFunction] : its,
      ),
    ],
    versions: [
      ...service.versions.filter(({ functionName }) => !ofModels.has(functionName)),
      ...deployments.flatMap(({ version }) => version ?? []),
    ],
    customResources: [
      ...service.customResources.filter(({ type }) => type !== registrationType),
      ...deployments.map((each) => each.registration),
    ],
  };
}

/** The service with one model more, or with another deployment of one that it has. */
export function withModel(service: ServiceDefinition, model: ModelDeployment): ServiceDefinition {
  const { function: definition, version, registration, foldFunction } = model;
  const functions = foldFunction ? [definition, foldFunction] : [definition];
  const names = new Set(functions.map(({ name }) => name));
  return {
    ...service,
    functions: [...service.functions.filter(({ name }) => !names.has(name)), ...functions],
    versions: [
      ...service.versions.filter(({ functionName }) => functionName !== definition.name),
      ...(version ? [version] : []),
    ],
    customResources: [
      ...service.customResources.filter(({ logicalId }) => logicalId !== registration.logicalId),
      registration,
    ],
  };
}

/** The models that a service has. */
export function deployedModels(
  service: ServiceDefinition,
): (ModelDeployment & { readonly modelId: string })[] {
  return service.customResources
    .filter(({ type }) => type === registrationType)
    .flatMap((registration) => {
      const { ModelId, FunctionArn } = registration.properties;
      const found = service.functions.find(({ arn }) => arn === FunctionArn);
      const version = service.versions.find(({ functionName }) => functionName === found?.name);
      if (!found) return [];
      const deployment = { function: found, version, foldFunction: undefined, registration };
      return [{ modelId: String(ModelId), ...deployment }];
    });
}

/** How the service deploys a model, taken from one that it has. @throws TemplateError for none. */
export function deploymentPattern(service: ServiceDefinition): ModelDeployment {
  const [first] = deployedModels(service);
  if (!first) throw new TemplateError('the service has no model as a pattern');
  return first;
}

/** How a model is deployed, as the pattern is. */
export function deploymentOf(
  pattern: ModelDeployment,
  { id, codePath, host }: BundledModel,
): ModelDeployment {
  // Told from each other by a hash, because a function's name has at most 64 characters.
  const name = `Milepost-${id.slice(0, 46)}-${hash('sha256', id).slice(0, 8)}`;
  const arn = pattern.function.arn.replace(/[^:]+$/, name);
  const { FunctionVersion: _, ...properties } = pattern.registration.properties;
  const codeHash = basename(codePath);
  const bundled = { ...pattern.function, name, arn, handler: 'index.handler' };
  const foldFunction = host === undefined ? undefined : foldFunctionOf(pattern, id, codePath);
  const version = foldFunction ? undefined : { id: `${name}-${codeHash}`, functionName: name };
  return {
    version,
    foldFunction,
    function: foldFunction
      ? { ...hostOf(bundled, id, foldFunction.arn), codePath: host! }
      : { ...bundled, codePath },
    registration: {
      ...pattern.registration,
      logicalId: `Model-${id}`,
      properties: {
        ...properties,
        ModelId: id,
        FunctionArn: arn,
        ...(version && { FunctionVersion: versionNumberToken(version.id) }),
        CodeHash: codeHash,
      },
    },
  };
}

/** The function of Python that a model's code is, which gets nothing from Milepost. */
function foldFunctionOf(
  pattern: ModelDeployment,
  id: string,
  codePath: string,
): FunctionDefinition {
  const name = `Milepost-function-${hash('sha256', id).slice(0, 16)}`;
  return {
    ...pattern.function,
    name,
    arn: pattern.function.arn.replace(/[^:]+$/, name),
    runtime: 'python3',
    codePath,
    handler: 'model.handler',
    environment: {},
  };
}

/** The Lambda before it, which outlives it. */
const hostOf = (
  definition: FunctionDefinition,
  id: string,
  foldingArn: string,
): FunctionDefinition => ({
  ...definition,
  timeoutSeconds: 3 * definition.timeoutSeconds,
  environment: {
    ...definition.environment,
    MILEPOST_MODEL: id,
    MILEPOST_FUNCTION: foldingArn,
  },
});
