import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { synthesize } from '../../../src/local/template/synthesize.ts';
import { entry, newTracker } from '../../lib/tracker.ts';
import { Service } from './service.ts';

interface Assets {
  readonly files: Record<string, { source: { path: string } }>;
}

/**
 * Starts a service with the EventBridge source of docs/how-to/send-events.md, which converts events of the default bus
 * to events of the model activation.
 *
 * @param folder the folder for its cloud assembly
 * @returns the service and the address of its EventBridge endpoint
 */
export async function startWithBus(
  folder: string,
  variables: Record<string, string> = {},
): Promise<{ service: Service; eventBridge: string }> {
  const { stack, tracker } = newTracker();
  tracker.addModel('activation', { entry });
  tracker.addEventBridgeSource('Devices', {
    eventPattern: { source: ['com.example.devices'], detailType: ['account.created'] },
    event: { modelId: 'activation', transactionId: '$.detail.device' },
  });
  const rules = Template.fromStack(stack).findResources('AWS::Events::Rule', {
    Properties: { EventPattern: { source: ['com.example.devices'] } },
  });
  const base = await synthesize(process.env);
  const read = async <Content>(name: string) =>
    JSON.parse(await readFile(join(base, name), 'utf8')) as Content;
  const template = await read<{ Resources: object }>('Milepost.template.json');
  const assets = await read<Assets>('Milepost.assets.json');
  const assembly = join(folder, 'assembly');
  await mkdir(assembly);
  for (const { source } of Object.values(assets.files))
    source.path = relative(assembly, join(base, source.path));
  const Resources = { ...template.Resources, ...rules };
  await writeFile(join(assembly, 'Milepost.template.json'), JSON.stringify({ Resources }));
  await writeFile(join(assembly, 'Milepost.assets.json'), JSON.stringify(assets));
  const deploy = import.meta.resolve('../../e2e/own-service/changing-model/deploy.ts');
  const service = await Service.start({
    NODE_OPTIONS: `--import=${deploy}`,
    ASSEMBLY: assembly,
    MILEPOST_EVENTBRIDGE_PORT: '0',
    ...variables,
  });
  return {
    service,
    eventBridge: await service.waitForLog(/EventBridge endpoint \(PutEvents\): (\S+)/),
  };
}
