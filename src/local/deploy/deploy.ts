import type { KinesisClient } from '@aws-sdk/client-kinesis';
import { dynamoDbClient } from '../aws-clients.ts';
import type { DataFolder } from '../data-folder.ts';
import type { LambdaHost } from '../lambda/lambda-host.ts';
import type { ServiceDefinition } from '../template/service-definition.ts';
import { createStreams } from './create-streams.ts';
import { createTables } from './create-tables.ts';
import { deployCustomResources, isUnchanged } from './custom-resources.ts';

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
  for (const definition of service.functions)
    host.define({ ...definition, environment: { ...definition.environment, ...variables } });
  const dynamodb = dynamoDbClient(dynamodbUrl);
  const [tablesAreNew] = await Promise.all([
    createTables(dynamodb, service.tables),
    createStreams(kinesis, service.streams),
  ]);
  dynamodb.destroy();
  const wanted = service.customResources;
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
 * Deploys what is new or changed of the custom resources, as of what is deployed already.
 *
 * @throws Error with the reason that a resource's function gave.
 */
export async function deployResources(
  wanted: ServiceDefinition['customResources'],
  { host, folder }: Pick<DeployTarget, 'host' | 'folder'>,
): Promise<void> {
  const invoke = async (functionName: string, payload: string) => {
    const { functionError, payload: answer } = await host.invoke({ functionName, payload });
    if (functionError) throw new Error(`${functionName} failed: ${answer}`);
  };
  const before = await folder.readDeployed();
  await folder.writeDeployed(await deployCustomResources(invoke, wanted, before));
}
