import { isDeepStrictEqual } from 'node:util';

/** The part of an OpenAPI document that contains schemas. */
interface Document {
  readonly paths: object;
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
}

/**
 * Moves each schema with a title to the components, under this title, and replaces the schema with a reference.
 * Generators of API clients name their types after the components.
 *
 * @throws Error if different schemas have the same title.
 */
export function withNamedSchemas<T extends Document>(document: T): T {
  const schemas: Record<string, unknown> = {};
  const paths = replaceTitled(document.paths, (title, schema) => {
    schemas[title] ??= schema;
    if (!isDeepStrictEqual(schemas[title], schema))
      throw new Error(`different schemas have the title ${title}`);
  });
  const { components } = document;
  return {
    ...document,
    paths,
    components: { ...components, schemas: { ...components?.schemas, ...schemas } },
  };
}

function replaceTitled(node: unknown, add: (title: string, schema: object) => void): unknown {
  if (Array.isArray(node)) return node.map((each) => replaceTitled(each, add));
  if (typeof node !== 'object' || node === null) return node;
  const members = Object.entries(node).map(([name, value]) => [
    name,
    name === 'example' ? value : replaceTitled(value, add),
  ]);
  const { title, description, ...schema } = Object.fromEntries(members) as Record<string, unknown>;
  // If `node` is the `properties` of a schema, `title` can be a property, whose value is a schema instead of a string.
  if (typeof title !== 'string') return Object.fromEntries(members);
  add(title, schema);
  return {
    $ref: `#/components/schemas/${title}`,
    ...(description !== undefined && { description }),
  };
}
