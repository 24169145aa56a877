import { isJsonObject, type Json } from '../json/json.ts';
import { pathIn, valueAt } from '../json/json-pointer.ts';
import type { JsonSchema } from '../json/json-schema-of.ts';

/** The point where a path leaves a schema, which error messages name. */
export interface UnmatchedPath {
  /** The part of the path that matches. */
  readonly parent: readonly string[];
  /** The first name that the schema does not declare. */
  readonly name: string;
  /** The names that the schema declares after `parent`. */
  readonly fields: readonly string[];
}

/**
 * Follows a path through a schema. The path consists of names, and `*` for any name or array index.
 *
 * @returns the point where the path leaves the schema; undefined if the path may match a value.
 */
export function findUnmatchedPath(
  schema: JsonSchema,
  path: readonly string[],
): UnmatchedPath | undefined {
  let here = alternatives(schema, schema);
  for (const [index, name] of path.entries()) {
    const below = here.flatMap((each) => membersOf(each, name));
    if (below.length === 0) {
      const fields = [...new Set(here.flatMap(namesOf))];
      return { parent: path.slice(0, index), name, fields };
    }
    here = membersAmong(schema, below);
  }
  return undefined;
}

/**
 * Returns the longest prefix of a path that consists of declared names and array indexes. Other names, such as the keys
 * of a record, come from the data.
 */
export function declaredPrefix(schema: JsonSchema, path: readonly string[]): readonly string[] {
  let here = alternatives(schema, schema);
  for (const [index, name] of path.entries()) {
    const isDeclared = here.some((each) => namesOf(each).includes(isPlace(name) ? '*' : name));
    if (!isDeclared) return path.slice(0, index);
    here = membersAmong(
      schema,
      here.flatMap((each) => membersOf(each, name)),
    );
  }
  return path;
}

const isPlace = (name: string) => /^\d+$/.test(name);

const membersAmong = (root: JsonSchema, schemas: readonly JsonSchema[]) => [
  ...new Set(schemas.flatMap((each) => alternatives(root, each))),
];

/** Returns a schema and, recursively, all schemas that it refers to or combines. */
function alternatives(
  root: JsonSchema,
  schema: JsonSchema,
  found = new Set<JsonSchema>(),
): JsonSchema[] {
  if (found.has(schema)) return [];
  found.add(schema);
  if (!isObject(schema)) return [schema];
  const combined = [schema.anyOf, schema.oneOf, schema.allOf].flatMap(schemasIn);
  const referred = typeof schema.$ref === 'string' ? [resolved(root, schema.$ref)] : [];
  const nested = [...combined, ...referred].flatMap((each) => alternatives(root, each, found));
  return [schema, ...nested];
}

/** Resolves a JSON Pointer within the document. For any other reference, returns `true`, which allows anything. */
function resolved(root: JsonSchema, ref: string): JsonSchema {
  const path = ref.startsWith('#') ? pathIn(decodeURIComponent(ref.slice(1))) : undefined;
  const schema = path && valueAt(root as Json, path);
  return isSchema(schema) ? schema : true;
}

/** Returns the schemas of a member, by its name; empty if the value cannot have this member. */
function membersOf(schema: JsonSchema, name: string): JsonSchema[] {
  if (!isObject(schema)) return schema ? [true] : [];
  if (isUnconstrained(schema)) return [true];
  return [
    ...(allows(schema, 'object') ? propertiesAt(schema, name) : []),
    ...(allows(schema, 'array') ? itemsAt(schema, name) : []),
  ];
}

function propertiesAt(schema: SchemaObject, name: string): JsonSchema[] {
  const { properties, patternProperties, additionalProperties } = schema;
  const isDescribed = properties ?? patternProperties ?? additionalProperties;
  if (isDescribed === undefined) return schema.type === undefined ? [] : [true];
  const declared = isObject(properties) ? properties : {};
  if (Object.hasOwn(declared, name)) return existing([declared[name]]);
  const others = isObject(patternProperties) ? Object.values(patternProperties) : [];
  const named = name === '*' ? Object.values(declared) : [];
  return existing([...named, ...others, additionalProperties]);
}

function itemsAt({ type, prefixItems, items }: SchemaObject, name: string): JsonSchema[] {
  if (name !== '*' && !isPlace(name)) return [];
  if (prefixItems === undefined && items === undefined) return type === undefined ? [] : [true];
  const first = schemasIn(prefixItems);
  const placed = name === '*' ? first : first.slice(Number(name), Number(name) + 1);
  // Without `items`, an array can contain any items after `prefixItems`.
  const isAfterPrefix = name === '*' || Number(name) >= first.length;
  return existing([...placed, isAfterPrefix && (items ?? true)]);
}

function namesOf(schema: JsonSchema): string[] {
  if (!isObject(schema)) return [];
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const isArray = schema.items !== undefined || schema.prefixItems !== undefined;
  return isArray ? [...names, '*'] : names;
}

type SchemaObject = Readonly<Record<string, unknown>>;

/** The keywords that constrain the members of a value. */
const constraints = [
  'type',
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'prefixItems',
  'enum',
  'const',
  'not',
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
];

const isUnconstrained = (schema: SchemaObject) => !constraints.some((name) => name in schema);

function allows({ type }: SchemaObject, wanted: 'object' | 'array'): boolean {
  return type === undefined || (Array.isArray(type) ? type.includes(wanted) : type === wanted);
}

const isObject = (value: unknown): value is SchemaObject => isJsonObject(value);
const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'boolean' || isObject(value);
const schemasIn = (value: unknown): JsonSchema[] =>
  Array.isArray(value) ? value.filter(isSchema) : [];

/** Removes schemas that no value can match, and values that are not schemas. */
const existing = (schemas: readonly unknown[]) =>
  schemasIn(schemas).filter((schema) => schema !== false);
