import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { describeAnswer, describeRequest, foldAnswer, foldRequest } from './schemas.ts';

const schemas: Readonly<Record<string, readonly [title: string, schema: v.GenericSchema]>> = {
  'describe-request': ['Request to a model function: describe the model', describeRequest],
  'describe-answer': ['Response of a model function: the description of the model', describeAnswer],
  'fold-request': ['Request to a model function: fold events', foldRequest],
  'fold-answer': ['Response of a model function: the results of folding events', foldAnswer],
};

/**
 * The protocol of model functions as JSON Schema (draft 2020-12), by file name in the folder `protocol`. Receivers
 * ignore members that a schema does not declare. For rules that JSON Schema cannot express, such as that a status must
 * be declared, see docs/reference/model-function-protocol.md.
 */
export function protocolSchemas(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, [title, schema]]) => {
      // JSON Schema cannot express that text is well-formed or that a value is JSON, so these checks are omitted.
      const { $schema, ...rest } = toJsonSchema(schema, {
        target: 'draft-2020-12',
        typeMode: 'input',
        errorMode: 'ignore',
      });
      return [`${name}.schema.json`, { $schema, title, ...rest }];
    }),
  );
}
