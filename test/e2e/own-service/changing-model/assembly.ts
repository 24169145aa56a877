import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { lambdaBuildOptions } from '../../../../src/local/bundling/lambda-build-options.ts';
import { synthesize } from '../../../../src/local/template/synthesize.ts';

interface Assets {
  readonly files: Record<
    string,
    { source: { path: string }; destinations: Record<string, { objectKey: string }> }
  >;
}
interface Template {
  readonly Resources: Record<string, { Type: string; Properties: { Code: { S3Key: string } } }>;
}

/**
 * Creates the service's cloud assembly with different code for the model `session`. As with the CDK, the names of the
 * asset and of the function version change.
 *
 * @param url the URL of the file with the model's Lambda handler.
 * @param folder the folder of the assembly.
 */
export async function assemblyWith(url: string, folder: string): Promise<string> {
  const file = basename(url);
  const base = await synthesize(process.env);
  const code = join(folder, file, 'code');
  await build({
    entryPoints: [fileURLToPath(url)],
    outfile: join(code, 'index.mjs'),
    ...lambdaBuildOptions,
    outExtension: undefined,
  });
  const text = await readFile(join(base, 'Milepost.template.json'), 'utf8');
  const { Resources } = JSON.parse(text) as Template;
  const ofSession = (type: string) =>
    Object.entries(Resources).find(
      ([id, { Type }]) => Type === type && id.includes('Modelssession'),
    )!;
  const [, { Properties }] = ofSession('AWS::Lambda::Function');
  const [version] = ofSession('AWS::Lambda::Version');
  const assembly = join(folder, file, 'assembly');
  await mkdir(assembly);
  const key = `${file}.zip`;
  await writeFile(
    join(assembly, 'Milepost.template.json'),
    text.replaceAll(Properties.Code.S3Key, key).replaceAll(version, `${version}${file}`),
  );
  const assets = JSON.parse(await readFile(join(base, 'Milepost.assets.json'), 'utf8')) as Assets;
  for (const { source } of Object.values(assets.files))
    source.path = relative(assembly, join(base, source.path));
  const added = {
    source: { path: relative(assembly, code) },
    destinations: { here: { objectKey: key } },
  };
  await writeFile(
    join(assembly, 'Milepost.assets.json'),
    JSON.stringify({ files: { ...assets.files, added } }),
  );
  return assembly;
}
