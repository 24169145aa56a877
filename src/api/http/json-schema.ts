import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';

const options = {
  target: 'draft-2020-12' as const,
  // JSON Schema cannot express these actions of valibot. Metadata next to each action contains what it can express.
  ignoreActions: ['check', 'raw_transform'],
};

/** Converts the schema of a request to JSON Schema. */
export function requestSchema(schema: GenericSchema): Record<string, unknown> {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    ...options,
    typeMode: 'input',
    // Custom schemas accept any JSON.
    overrideSchema: ({ valibotSchema }) => (valibotSchema.type === 'custom' ? {} : undefined),
  });
  return rest;
}

/** Converts the schema of a response to JSON Schema; objects allow no additional properties. */
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
