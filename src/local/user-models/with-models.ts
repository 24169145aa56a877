import { hash } from 'node:crypto';
import { basename } from 'node:path';
import type { FunctionDefinition } from '../../aws-local/lambda/function-definition.ts';
import type {
  CustomResourceDefinition,
  ServiceDefinition,
  VersionDefinition,
} from '../template/service-definition.ts';
import { TemplateError, versionNumberToken } from '../template/template.ts';

/** The bundled code of a model. */
export interface BundledModel {
  readonly id: string;
  /** The folder with the model's `index.mjs` or `model.py`. The folder's name is a hash of its content. */
  readonly codePath: string;
  /** For a model in Python, the folder with the bundle of the Lambda function that calls the model. */
  readonly host?: string;
}

/** A deployed model: its function, version, and registration. */
export interface ModelDeployment {
  readonly function: FunctionDefinition;
  /**
   * The version to publish. Undefined if the model's code is in a separate function (`foldFunction`), because a
   * rollback to an earlier version would not restore that code.
   */
  readonly version: VersionDefinition | undefined;
  readonly registration: CustomResourceDefinition;
  /** The separate function that contains the model's code, if any. */
  readonly foldFunction: FunctionDefinition | undefined;
}

const registrationType = 'Custom::MilepostModel';

/**
 * Replaces the service's models with the given models. Each model has the same settings as in the CDK construct
 * `Model`.
 *
 * @throws TemplateError if the service has no model that can serve as the pattern.
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

/** Adds a model to the service, or replaces its deployment. */
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

/** Returns the models of a service with their deployments. */
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

/**
 * Returns the deployment of the service's first model, which is the pattern for other models.
 *
 * @throws TemplateError if the service has no model.
 */
export function deploymentPattern(service: ServiceDefinition): ModelDeployment {
  const [first] = deployedModels(service);
  if (!first) throw new TemplateError('the service has no model that could serve as a pattern');
  return first;
}

/** Returns the deployment of a model, with the settings of the pattern. */
export function deploymentOf(
  pattern: ModelDeployment,
  { id, codePath, host }: BundledModel,
): ModelDeployment {
  // The name of a function has at most 64 characters. A hash distinguishes models whose long ids are truncated.
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

/** Defines the Python function that contains a model's code. This function has no environment variables of its own. */
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

/**
 * Defines the Lambda function that calls the model's function and has a longer timeout than the model's function.
 */
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
