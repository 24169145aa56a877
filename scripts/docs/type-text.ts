import type { Schema } from './openapi.ts';

type NamedSchemas = Readonly<Record<string, Schema>>;

/**
 * Converts a JSON Schema to a TypeScript type, with descriptions as comments.
 *
 * @param named the schemas to which `$ref` refers.
 */
export function typeText(schema: Schema, named: NamedSchemas, indent = ''): string {
  const textOf = (each: Schema) => typeText(each, named, indent);
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)!;
    // `Json`, the schema of arbitrary JSON, refers to itself.
    return name === 'Json' ? 'unknown' : textOf(named[name] ?? {});
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(textOf))].join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  if (schema.properties) return objectText(schema, named, indent);
  if (schema.items) {
    const each = textOf(schema.items);
    return / \| /.test(each) && !each.startsWith('{') ? `(${each})[]` : `${each}[]`;
  }
  if (typeof schema.additionalProperties === 'object')
    return `{ [name: string]: ${textOf(schema.additionalProperties)} }`;
  return [schema.type ?? 'unknown']
    .flat()
    .map((type) => (type === 'integer' ? 'number' : type))
    .join(' | ');
}

function objectText(
  { properties = {}, required = [] }: Schema,
  named: NamedSchemas,
  indent: string,
): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).flatMap(([name, each]) => [
    ...(each.description === undefined ? [] : [`${inner}// ${each.description}`]),
    `${inner}${name}${required.includes(name) ? '' : '?'}: ${typeText(each, named, inner)};`,
  ]);
  return `{\n${lines.join('\n')}\n${indent}}`;
}
