import type { KinesisClient } from '@aws-sdk/client-kinesis';
import { withEnvironment } from '../../aws-local/lambda/function-definition.ts';
import type { LambdaHost } from '../../aws-local/lambda/lambda-host.ts';
import { dynamoDbClient } from '../running/aws-clients.ts';
import type { DataFolder } from '../settings/data-folder.ts';
import type {
  CustomResourceDefinition,
  ServiceDefinition,
} from '../template/service-definition.ts';
import { versionNumberToken } from '../template/template.ts';
import { createStreams } from './create-streams.ts';
import { createTables } from './create-tables.ts';
import { deployCustomResources, isUnchanged } from './custom-resources.ts';
import { prestartedFunctions } from './prestarted-functions.ts';
import { publishVersions } from './publish-versions.ts';

/** The parts of the local service that a deployment changes. */
export interface DeployTarget {
  readonly dynamodbUrl: string;
  readonly kinesis: KinesisClient;
  readonly host: LambdaHost;
  readonly folder: DataFolder;
}

/**
 * Deploys a service to this machine: first its functions, tables, and streams, and then, as in AWS, the custom
 * resources, which register the models.
 *
 * @param variables the environment variables that each function receives in addition to its own variables.
 */
export async function deploy(
  service: ServiceDefinition,
  target: DeployTarget,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const { host } = target;
  for (const definition of service.functions) host.define(withEnvironment(definition, variables));
  const prestarted = prestartedFunctions(service);
  await Promise.all([
    deployDefined(service, target, variables),
    ...[...prestarted].map((name) => host.prestart(name)),
  ]);
  // Terminate the environments of the registrar and the models, which the deployment has invoked. Otherwise, these
  // environments would use more memory than the rest of the service until they expire.
  await host.terminateIdle((name) => !prestarted.has(name));
}

/** Deploys the tables, streams, versions, and custom resources of a service whose functions are defined. */
async function deployDefined(
  service: ServiceDefinition,
  { dynamodbUrl, kinesis, host, folder }: DeployTarget,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const dynamodb = dynamoDbClient(dynamodbUrl);
  const [tablesAreNew] = await Promise.all([
    createTables(dynamodb, service.tables),
    createStreams(kinesis, service.streams),
  ]);
  dynamodb.destroy();
  const wanted = await publish(service, { host, folder }, variables);
  const before = (await folder.readDeployed()).map((resource) => {
    // If a table is new, it lacks the data that the custom resources wrote, such as registered models, so repeat all
    // requests.
    const isLeft = !tablesAreNew && wanted.some((each) => isUnchanged(resource, each));
    return isLeft ? resource : { ...resource, unsettled: true };
  });
  // Store the resources first: if this start is interrupted, the next start repeats the requests whose results are
  // unknown.
  await folder.writeDeployed(before);
  await deployResources(wanted, { host, folder });
}

/**
 * Deploys changes to a running service whose functions are already defined: function versions and custom resources.
 *
 * @param variables the environment variables that each function receives in addition to its own variables.
 * @throws Error with the reason if the function of a custom resource fails or reports a failure.
 */
export async function redeploy(
  service: ServiceDefinition,
  target: Pick<DeployTarget, 'host' | 'folder'>,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  await deployResources(await publish(service, target, variables), target);
}

async function deployResources(
  wanted: readonly CustomResourceDefinition[],
  { host, folder }: Pick<DeployTarget, 'host' | 'folder'>,
): Promise<void> {
  const invoke = async (functionName: string, payload: string) => {
    const { functionError, payload: answer } = await host.invoke({ functionName, payload });
    if (functionError) throw new Error(`${functionName} failed: ${answer}`);
  };
  const before = await folder.readDeployed();
  await folder.writeDeployed(await deployCustomResources(invoke, wanted, before));
}

/** Publishes the versions of a service's functions. Returns the custom resources with the version numbers inserted. */
async function publish(
  service: ServiceDefinition,
  { host, folder }: Pick<DeployTarget, 'host' | 'folder'>,
  variables: Readonly<Record<string, string>>,
): Promise<CustomResourceDefinition[]> {
  const published = await publishVersions(service, folder.versions);
  for (const { functionName, versions } of published)
    host.defineVersions(
      functionName,
      versions.map((definition) => withEnvironment(definition, variables)),
    );
  const numbers = new Map(
    published.map(({ id, versions }) => [versionNumberToken(id), versions[0]!.version]),
  );
  return service.customResources.map((resource) => withNumbers(resource, numbers));
}

/** Replaces the version tokens in a resource's properties with the published version numbers. */
function withNumbers(
  resource: CustomResourceDefinition,
  numbers: ReadonlyMap<unknown, string | undefined>,
): CustomResourceDefinition {
  const properties = Object.entries(resource.properties).map(([name, value]) => [
    name,
    numbers.get(value) ?? value,
  ]);
  return { ...resource, properties: Object.fromEntries(properties) };
}
