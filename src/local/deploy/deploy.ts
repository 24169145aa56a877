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
import { publishVersions } from './publish-versions.ts';

/** Where a service is deployed to. */
export interface DeployTarget {
  readonly dynamodbUrl: string;
  readonly kinesis: KinesisClient;
  readonly host: LambdaHost;
  readonly folder: DataFolder;
}

/**
 * Brings a service up on this machine, as a deployment does in AWS: functions,
 * tables, streams, then the custom resources, which register the models.
 *
 * @param variables what Lambda gives every function besides its own variables.
 */
export async function deploy(
  service: ServiceDefinition,
  { dynamodbUrl, kinesis, host, folder }: DeployTarget,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  for (const definition of service.functions) host.define(withEnvironment(definition, variables));
  const dynamodb = dynamoDbClient(dynamodbUrl);
  const [tablesAreNew] = await Promise.all([
    createTables(dynamodb, service.tables),
    createStreams(kinesis, service.streams),
  ]);
  dynamodb.destroy();
  const wanted = await publish(service, { host, folder }, variables);
  const before = (await folder.readDeployed()).map((resource) => {
    // What they did is lost with a table.
    const isLeft = !tablesAreNew && wanted.some((each) => isUnchanged(resource, each));
    return isLeft ? resource : { ...resource, unsettled: true };
  });
  // Where this ends early, the next start does again what may have been done.
  await folder.writeDeployed(before);
  await deployResources(wanted, { host, folder });
}

/**
 * Deploys what is new or changed of a running service: versions of its functions, which are defined
 * already, and its custom resources.
 *
 * @param variables what Lambda gives every function besides its own variables.
 * @throws Error with the reason that a resource's function gave.
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

/** Publishes the versions that a service has of its functions; its custom resources are told their numbers. */
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

/** A resource that is told the numbers of versions, which are known now. */
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
