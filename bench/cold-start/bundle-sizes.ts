import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ServiceDefinition } from '../../src/local/template/service-definition.ts';

/** The bundle of a Lambda function and its size in bytes. */
export interface BundleSize {
  /**
   * `model <id>` for a model's function; for all other functions, the name of the construct, such as `customer-pages`.
   */
  readonly name: string;
  readonly file: string;
  readonly raw: number;
  readonly gzip: number;
}

/** Measures the deployed bundle of each Lambda function. */
export async function bundleSizes(service: ServiceDefinition): Promise<BundleSize[]> {
  const models = new Map(
    service.customResources.map(({ properties: { ModelId, FunctionArn } }) => [
      FunctionArn,
      `model ${String(ModelId)}`,
    ]),
  );
  return Promise.all(
    service.functions.map(async ({ name, arn, codePath }) => {
      const file = join(codePath, 'index.mjs');
      const code = await readFile(file);
      const gzip = gzipSync(code, { level: 9 }).byteLength;
      return { name: models.get(arn) ?? ownName(name), file, raw: code.byteLength, gzip };
    }),
  );
}

/**
 * Extracts the short name of a Lambda function, for example `customer-pages` from
 * `Milepost-TrackerCustomerPagesFunction1A2B3C4D`.
 */
function ownName(name: string): string {
  const [, own] = /-Tracker(\w+?)Function/.exec(name) ?? [];
  return own?.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase() ?? name;
}
