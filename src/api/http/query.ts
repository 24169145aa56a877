import type { HonoRequest } from 'hono';
import * as v from 'valibot';
import { didYouMean } from '../../common/closest-word.ts';
import { requestSchema } from './json-schema.ts';
import { Problem } from './problem.ts';

/**
 * The query parameters of an operation, each with the schema of its value. A strict object is a group of parameters
 * that constrain each other: its members are the parameters, and the name of the group never appears in a request.
 */
export type QueryParameters = Readonly<Record<string, v.GenericSchema>>;

/**
 * Validates the query of a request.
 *
 * @throws Problem 400 for a parameter that is unknown, is repeated, has no name, is required but missing, or has an
 *   invalid value.
 */
export function checkQuery(parameters: QueryParameters, request: HonoRequest): void {
  const known = Object.entries(parameters).flatMap(([name, schema]) =>
    isGroup(schema) ? Object.keys(schema.entries) : [name],
  );
  const given = request.queries();
  // Hono omits parameters without a name.
  if (new URL(request.url).searchParams.has(''))
    throw new Problem(400, 'a query parameter must have a name');
  for (const [name, values] of Object.entries(given)) {
    if (!known.includes(name)) throw new Problem(400, unknownParameter(name, known));
    if (values.length > 1)
      throw new Problem(400, `\`${name}\` must appear only once; got ${values.length} values`);
  }
  for (const [name, schema] of Object.entries(parameters)) {
    const value = isGroup(schema) ? valuesOf(schema, given) : valueOf(schema, given[name]?.[0]);
    const { issues } = v.safeParse(schema, value);
    if (issues) throw new Problem(400, issues.map(({ message }) => message).join('; '));
  }
}

/**
 * Describes the parameters for OpenAPI, which cannot express that parameters constrain each other. The descriptions of
 * the parameters in a group mention their constraints.
 */
export const describeQuery = (parameters: QueryParameters): object[] =>
  Object.entries(parameters)
    .flatMap(([name, each]) =>
      isGroup(each) ? Object.entries(each.entries) : [[name, each] as const],
    )
    .map(([name, each]) => {
      const { description, ...schema } = requestSchema(each);
      return {
        in: 'query',
        name,
        description,
        ...(each.type !== 'optional' && { required: true }),
        ...(unwrapped(each).type === 'boolean' && { allowEmptyValue: true }),
        schema,
      };
    });

type Group = v.GenericSchema & { readonly entries: Readonly<Record<string, v.GenericSchema>> };

const isGroup = (schema: v.GenericSchema): schema is Group => schema.type === 'strict_object';

/** Returns the values of a group's members that are present in a query. */
function valuesOf({ entries }: Group, given: Readonly<Record<string, readonly string[]>>) {
  const values = Object.entries(entries).map(([name, schema]) => [
    name,
    valueOf(schema, given[name]?.[0]),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as object;
}

/**
 * Converts a parameter to the type of its schema, or returns the text if it does not match the type. An empty boolean
 * becomes undefined.
 */
function valueOf(schema: v.GenericSchema, text: string | undefined): unknown {
  const { type } = unwrapped(schema);
  if (type === 'number' && /^(?:0|[1-9]\d{0,14})$/.test(text ?? '')) return Number(text);
  if (type === 'boolean' && text === '') return undefined;
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

const unwrapped = (schema: v.GenericSchema): v.GenericSchema =>
  'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : schema;

function unknownParameter(name: string, known: readonly string[]): string {
  const accepted = known.length === 0 ? 'accepts none' : `accepts ${known.toSorted().join(', ')}`;
  return `there is no query parameter \`${name}\`${didYouMean(name, known) || '.'} This path ${accepted}`;
}
