import { types } from 'node:util';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { issuePath, issueText } from '../../common/schema-issues.ts';
import type { TrackedEvent } from '../event/event.ts';
import type { Json } from '../json/json.ts';
import { jsonSchemaOf } from '../json/json-schema-of.ts';
import type { Model } from '../model/model.ts';
import { callModel } from '../model/model-fault.ts';
import { throwHiddenError } from '../model/schema-error.ts';
import { declaredPrefix } from '../model/schema-fields.ts';

/** The prefix of the reason for rejecting an event whose data does not match its schema. */
export const schemaReasonPrefix = 'data: ';

/**
 * Validates an event's data against the schema of its type.
 *
 * @returns the data as the schema returns it, or the reason for rejecting the event.
 * @throws an error if the schema itself fails, for example because it is asynchronous.
 */
export function validateData(
  schema: StandardSchemaV1,
  { type, data }: TrackedEvent,
  model: Model,
): { readonly value: unknown } | { readonly reason: string } {
  const result = callModel(`the data schema of ${type}`, () => {
    const validated = schema['~standard'].validate(data);
    if (types.isPromise(validated)) {
      // An unhandled rejection would crash the process.
      validated.catch(() => undefined);
      throwHiddenError(schema, data);
    }
    return validated;
  });
  if (!result.issues) return { value: result.value };
  return { reason: reasonFromIssues(result.issues, schema, data, model) };
}

/**
 * The maximum number of issues in a reason. Data of 256 KB can have tens of thousands of issues, each with a long
 * path.
 */
const maximumIssues = 10;

function reasonFromIssues(
  issues: readonly StandardSchemaV1.Issue[],
  schema: StandardSchemaV1,
  data: Json,
  { sensitive }: Model,
): string {
  // Valibot reads the members of an array too, so its issues would name missing fields and methods such as `map`.
  if (Array.isArray(data) && declaresObject(schema))
    return `${schemaReasonPrefix}Invalid type: Expected Object but received Array`;
  const text = sensitive
    ? issueWithoutValues(schema)
    : (issue: StandardSchemaV1.Issue) => issueText(issue);
  const named = new Set(issues.slice(0, maximumIssues).map(text));
  const more = issues.length - maximumIssues;
  const all =
    more > 0 ? [...named, `and ${more} more ${more === 1 ? 'issue' : 'issues'}`] : [...named];
  return schemaReasonPrefix + all.join('; ');
}

function declaresObject(schema: StandardSchemaV1): boolean {
  const declared = jsonSchemaOf(schema);
  return typeof declared === 'object' && declared.type === 'object';
}

/**
 * Formats an issue without its message, which may quote values, and without names that the schema does not declare.
 */
const issueWithoutValues = (schema: StandardSchemaV1) => (issue: StandardSchemaV1.Issue) => {
  const path = declaredPrefix(jsonSchemaOf(schema), issuePath(issue));
  return `${path.join('.') || 'the value'} is not valid`;
};
