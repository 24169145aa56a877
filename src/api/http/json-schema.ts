import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';

const options = {
  target: 'draft-2020-12' as const,
  // JSON Schema cannot express these valibot actions. Where a similar rule exists, the metadata next to the action
  // contains it.
  ignoreActions: ['check', 'raw_transform'],
};

/** Converts the schema of a request to JSON Schema. */
export function requestSchema(schema: GenericSchema): Record<string, unknown> {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    ...options,
    typeMode: 'input',
    // JSON Schema cannot express custom schemas, so describe them as any JSON.
    overrideSchema: ({ valibotSchema }) => (valibotSchema.type === 'custom' ? {} : undefined),
  });
  return rest;
}

/** Converts the schema of a response to a JSON Schema that allows no additional properties in objects. */
export function answerSchema(schema: GenericSchema): Record<string, unknown> {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    ...options,
    typeMode: 'output',
    overrideSchema({ valibotSchema, jsonSchema }) {
      if (valibotSchema.type === 'custom') return {};
      return valibotSchema.type === 'object'
        ? { ...jsonSchema, additionalProperties: false }
        : undefined;
    },
  });
  return rest;
}
