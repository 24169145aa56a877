import { accountId, region } from '../../src/aws-local/account.ts';
import { eventSourceSettings } from '../../src/aws-local/event-source/settings.ts';
import { readCloudAssembly } from '../../src/local/template/cloud-assembly.ts';
import type { ServiceDefinition } from '../../src/local/template/service-definition.ts';
import { synthesize } from '../../src/local/template/synthesize.ts';

/** The service defined by the CDK app, and the settings that the benchmarks use. */
export interface Definition {
  readonly service: ServiceDefinition;
  readonly instancesTable: string;
  readonly deadLettersTable: string;
  readonly registryTable: string;
  readonly batchSize: number;
  readonly lanes: number;
  /** The memory size of the dispatcher in MB. */
  readonly dispatcherMemory: number;
  /** The memory size of the model `activation` in MB. */
  readonly modelMemory: number;
}

/**
 * Reads the definition from the synthesized template, as the local service does. Synthesizes the template if necessary.
 */
export async function readDefinition(): Promise<Definition> {
  const folder = await synthesize(process.env);
  const place = { stackName: 'Milepost', region, accountId };
  const service = await readCloudAssembly(folder, place);
  const [source] = service.eventSources;
  const { batchSize, parallelizationFactor } = eventSourceSettings(
    source!.settings as Parameters<typeof eventSourceSettings>[0],
    Date.now(),
  );
  const dispatcher = service.functions.find(({ name }) => name === source!.functionName)!;
  const model = functionOf(service, 'activation');
  const { environment } = dispatcher;
  return {
    service,
    instancesTable: environment.MILEPOST_INSTANCES_TABLE!,
    deadLettersTable: environment.MILEPOST_DEAD_LETTERS_TABLE!,
    registryTable: environment.MILEPOST_REGISTRY_TABLE!,
    batchSize,
    lanes: parallelizationFactor,
    dispatcherMemory: dispatcher.memoryMb,
    modelMemory: model.memoryMb,
  };
}

/** Returns the definition of a model's function. */
export function functionOf({ customResources, functions }: ServiceDefinition, model: string) {
  const { properties } = customResources.find(({ properties: { ModelId } }) => ModelId === model)!;
  return functions.find(({ arn }) => arn === properties.FunctionArn)!;
}
