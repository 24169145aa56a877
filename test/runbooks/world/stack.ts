import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accountId, region } from '../../../src/aws-local/account.ts';
import type { ReadyLine } from '../../../src/local/stack.ts';
import { synthesize } from '../../../src/local/template/synthesize.ts';
import type { Template } from '../../../src/local/template/template.ts';
import { TemplateResolver } from '../../../src/local/template/template-resolver.ts';
import type { DescribedStack } from './cloudformation.ts';
import type { Functions } from './functions.ts';

/** Synthesizes `bin/app.ts` and returns its template. @param env the environment variables of the app */
export async function readTemplate(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Template> {
  const file = join(await synthesize(env), 'Milepost.template.json');
  return JSON.parse(await readFile(file, 'utf8')) as Template;
}

/** The deployed stack: the template's resources and outputs, with the names that they have on this machine. */
export function describedStack(
  template: Template,
  ready: ReadyLine,
  functions: Functions,
): DescribedStack {
  const resolver = new TemplateResolver(template, { stackName: 'Milepost', region, accountId });
  const resources = Object.entries(template.Resources).map(([logicalId, { Type: type }]) => {
    const [, model] = /^TrackerModels(\w+?)Function[0-9A-F]{8}$/.exec(logicalId) ?? [];
    const own = functions.all().find(({ name }) => name.startsWith(`Milepost-${model}-`));
    return { type, logicalId, physicalId: own?.name ?? resolver.physicalName(logicalId) };
  });
  const table = (name: string) =>
    resources.find(({ logicalId }) => logicalId.startsWith(`TrackerTables${name}`))!.physicalId;
  const outputs = {
    ApiUrl: ready.api,
    StreamName: ready.stream,
    InstancesTable: table('Instances'),
    DeadLettersTable: table('DeadLetters'),
  };
  return { outputs, resources };
}
