import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { protocolSchemas } from '../src/model-runtime/remote/json-schemas.ts';

/*
 * Generates src/model-runtime/remote/protocol/*.schema.json from the schemas that validate a model function's
 * responses.
 */
const folder = join(import.meta.dirname, '..', 'src', 'model-runtime', 'remote', 'protocol');
await mkdir(folder, { recursive: true });
for (const [name, schema] of Object.entries(protocolSchemas()))
  await writeFile(join(folder, name), `${JSON.stringify(schema, null, 2)}\n`);
