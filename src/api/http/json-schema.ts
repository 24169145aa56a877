import { type JsonSchema, type OverrideSchemaContext, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';

/**
 * Describes custom schemas, which JSON Schema cannot express, as any JSON. If a value can be null, adds null to the
 * value's type, because many generators of API clients do not support null as an alternative.
 */
function adapt({ valibotSchema, jsonSchema }: OverrideSchemaContext): JsonSchema | undefined {
  if (valibotSchema.type === 'custom') return {};
  const [value, other] = jsonSchema.anyOf ?? [];
  if (typeof value !== 'object' || typeof other !== 'object' || other.type !== 'null')
    return undefined;
  const { type, const: only, enum: choices = only === undefined ? undefined : [only] } = value;
  // An object with a title becomes a reference. Null can be added to a reference only as an alternative.
  if (value.title !== undefined || (typeof type !== 'string' && choices === undefined))
    return undefined;
  const { const: _, ...rest } = value;
  return {
    ...rest,
    ...(typeof type === 'string' && { type: [type, 'null'] }),
    ...(choices && { enum: [...choices, null] }),
  };
}

/** Converts the schema of a request to JSON Schema. */
export const requestSchema = (schema: GenericSchema) => convert(schema, 'input');

/**
 * Converts the schema of a response to JSON Schema. Allows additional properties in objects so that later versions of
 * the API can add members without breaking clients.
 */
export const answerSchema = (schema: GenericSchema) => convert(schema, 'output');

function convert(schema: GenericSchema, typeMode: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    // JSON Schema cannot express these valibot actions. Where a similar rule exists, the metadata next to the action
    // contains it.
    ignoreActions: ['check', 'raw_transform'],
    overrideSchema: adapt,
    typeMode,
  });
  return rest;
}
