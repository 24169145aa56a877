import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';

const options = {
  target: 'draft-2020-12' as const,
  // The rest of a pipe, which JSON Schema has no words for, says in its metadata what it has words for.
  ignoreActions: ['check', 'raw_transform'],
};

/** A schema of a request as JSON Schema. */
export function requestSchema(schema: GenericSchema): Record<string, unknown> {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    ...options,
    typeMode: 'input',
    // Any JSON.
    overrideSchema: ({ valibotSchema }) => (valibotSchema.type === 'custom' ? {} : undefined),
  });
  return rest;
}

/** A schema of an answer as JSON Schema: an object has the members that the schema names, and no others. */
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
