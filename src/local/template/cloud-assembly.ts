import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readService } from './read-service.ts';
import type { ServiceDefinition } from './service-definition.ts';
import { type StackEnvironment, type Template, TemplateError } from './template.ts';

interface AssetManifest {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: { readonly path: string };
        readonly destinations: Readonly<Record<string, { readonly objectKey: string }>>;
      }
    >
  >;
}

/** Reads the service from the CDK app's cloud assembly. */
export async function readCloudAssembly(
  folder: string,
  place: StackEnvironment,
): Promise<ServiceDefinition> {
  const read = async (kind: string) =>
    JSON.parse(await readFile(join(folder, `${place.stackName}.${kind}.json`), 'utf8')) as unknown;
  const template = (await read('template')) as Template;
  const { files } = (await read('assets')) as AssetManifest;
  const folders = new Map(
    Object.values(files).flatMap(({ source, destinations }) =>
      Object.values(destinations).map(({ objectKey }) => [objectKey, join(folder, source.path)]),
    ),
  );
  return readService(template, place, (s3Key) => {
    const found = folders.get(s3Key);
    if (found === undefined) throw new TemplateError(`the assembly has no asset ${s3Key}`);
    return found;
  });
}
