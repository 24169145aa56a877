import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { describeAnswer, describeRequest, foldAnswer, foldRequest } from './schemas.ts';

const schemas: Readonly<Record<string, readonly [title: string, schema: v.GenericSchema]>> = {
  'describe-request': ['What a model function is asked: what it is', describeRequest],
  'describe-answer': ['What a model function answers: what it is', describeAnswer],
  'fold-request': ['What a model function is asked: to fold events', foldRequest],
  'fold-answer': ['What a model function answers: what became of events', foldAnswer],
};

/**
 * The protocol of model functions as JSON Schema (draft 2020-12), by the names of their files in the folder `protocol`.
 * A member that a schema does not name is ignored by who reads it. What JSON Schema cannot say, such as that
 * a status is one of those described, docs/reference/model-function-protocol.md says.
 */
export function protocolSchemas(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, [title, schema]]) => {
      // What it leaves out are checks of well-formed text, and of what JSON is in any case.
      const { $schema, ...rest } = toJsonSchema(schema, {
        target: 'draft-2020-12',
        typeMode: 'input',
        errorMode: 'ignore',
      });
      return [`${name}.schema.json`, { $schema, title, ...rest }];
    }),
  );
}
