import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';

/** A JSON Schema of draft 2020-12, as a library generated it. */
export type JsonSchema = boolean | Readonly<Record<string, unknown>>;

const target = 'draft-2020-12';

/**
 * The JSON Schema of the data that a schema takes; `true`, which takes anything, where its library cannot say.
 *
 * @see https://standardschema.dev/json-schema
 */
export function jsonSchemaOf(schema: StandardSchemaV1): JsonSchema {
  const known = generated.get(schema) ?? generate(schema);
  generated.set(schema, known);
  return known;
}

const generated = new WeakMap<StandardSchemaV1, JsonSchema>();

function generate(schema: StandardSchemaV1): JsonSchema {
  const standard: StandardSchemaV1.Props & Partial<StandardJSONSchemaV1.Props> =
    schema['~standard'];
  try {
    if (standard.jsonSchema) return standard.jsonSchema.input({ target, libraryOptions });
    if (standard.vendor === 'valibot') return ofValibot(schema as GenericSchema);
    return true;
  } catch {
    return true;
  }
}

/** Has zod take what JSON Schema cannot describe for anything, rather than throw. */
const libraryOptions = { unrepresentable: 'any' };

const ofValibot = (schema: GenericSchema): JsonSchema =>
  toJsonSchema(schema, {
    target,
    typeMode: 'input',
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      valibotSchema.type === 'loose_object'
        ? { ...jsonSchema, additionalProperties: true }
        : undefined,
  }) as JsonSchema;
