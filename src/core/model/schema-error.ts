import type { StandardSchemaV1 } from '@standard-schema/spec';

/** Matches the error message of Zod for an asynchronous schema. */
const ofAsyncSchema = /parseAsync/;

/**
 * Throws the error of a function in a Zod schema, such as a `transform` that throws. If such a function throws, Zod
 * validates the data again asynchronously and returns a promise, as if the schema were asynchronous. Has no effect for
 * a schema of another library, or if the schema is asynchronous.
 */
export function throwHiddenError(schema: StandardSchemaV1, data: unknown): void {
  const { safeParse } = schema as { readonly safeParse?: unknown };
  if (typeof safeParse !== 'function') return;
  try {
    safeParse.call(schema, data);
  } catch (error) {
    if (!(error instanceof Error && ofAsyncSchema.test(error.message))) throw error;
  }
}
