import { type ApiDependencies } from '../../src/api/api-dependencies.ts';
import { createApi } from '../../src/api/app.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

interface Content {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Operation {
  readonly summary: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Description {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** The page of the HTTP API, generated from `/api/openapi.json`. */
export async function httpPage(): Promise<string> {
  const environment: Partial<ApiDependencies> = {
    corsOrigins: [],
    rolesOf: () => undefined,
    logError(error) {
      throw error;
    },
  };
  // The description needs no other dependencies.
  const response = await createApi(environment as ApiDependencies).request('/api/openapi.json');
  const description = (await response.json()) as Description;
  const shapes = new Shapes(description.components?.schemas ?? {});
  const calls = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(calls.map(({ operation }) => operation.tags?.[0] ?? 'other'))];
  return [
    '# HTTP API',
    description.info.description,
    'The OpenAPI 3.1 description is at `/api/openapi.json`. For the address and access, see the ' +
      '[README](../readme.md#look-at-it) and [Deploying](../deploy.md#the-first-status).',
    ...tags.flatMap((tag) => [
      `## ${tag[0]!.toUpperCase()}${tag.slice(1)}`,
      ...calls
        .filter(({ operation }) => (operation.tags?.[0] ?? 'other') === tag)
        .flatMap(({ path, method, operation }) => section(method, path, operation, shapes)),
    ]),
  ].join('\n\n');
}

function section(method: string, path: string, operation: Operation, shapes: Shapes): string[] {
  const { summary, parameters = [], requestBody, responses } = operation;
  const queries = parameters.filter((each) => each.in === 'query').flatMap(membersOf);
  const good = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const bad = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  return [
    `### ${method.toUpperCase()} ${path.replaceAll(/[{}]/g, String.raw`\$&`)}`,
    `${summary}.`,
    queries.length === 0
      ? ''
      : [
          '| query | | |',
          '| --- | --- | --- |',
          ...queries.map(
            ({ name, description = '', schema = {} }) =>
              `| \`${name}\` | ${escaped(description)} | ${escaped(limitsOf(schema))} |`,
          ),
        ].join('\n'),
    requestBody ? `Body: ${requestBody.description ?? ''}` : '',
    ...good.flatMap(([status, { content }]) => {
      const schema = content?.['application/json']?.schema;
      return schema
        ? [`Returns ${status} with`, `\`\`\`ts\n${shapes.of(schema)}\n\`\`\``]
        : [`Returns ${status} without a body.`];
    }),
    `Problems: ${bad.map(([status, { description = '' }]) => `${status} (${description.toLowerCase()})`).join(', ')}.`,
  ].filter((part) => part !== '');
}

/** The parameters of a request. An exploded object is replaced by its members. */
function membersOf(parameter: Parameter): Parameter[] {
  const { properties } = parameter.schema ?? {};
  if (!properties) return [parameter];
  return Object.entries(properties).map(([name, { description = '', ...schema }]) => {
    return { name, in: 'query', description, schema };
  });
}

function limitsOf({ type, const: only, minimum, maximum, default: usual }: Schema): string {
  if (only !== undefined) return JSON.stringify(only);
  const range = minimum === undefined ? '' : `, ${minimum} to ${maximum}`;
  return `${String(type ?? '')}${range}${usual === undefined ? '' : `, ${JSON.stringify(usual)} by default`}`;
}

const escaped = (text: string) => text.replaceAll(/[|<>{}\\]/g, String.raw`\$&`);

/** Formats schemas as TypeScript types. */
class Shapes {
  readonly #named: Readonly<Record<string, Schema>>;

  constructor(named: Readonly<Record<string, Schema>>) {
    this.#named = named;
  }

  of(schema: Schema, indent = ''): string {
    if (schema.$ref !== undefined)
      return this.of(this.#named[schema.$ref.split('/').at(-1)!] ?? {}, indent);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return [...new Set(choices.map((each) => this.of(each, indent)))].join(' | ');
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
    if (schema.properties) return this.#object(schema, indent);
    if (schema.items) {
      const each = this.of(schema.items, indent);
      return / \| /.test(each) && !each.startsWith('{') ? `(${each})[]` : `${each}[]`;
    }
    if (typeof schema.additionalProperties === 'object')
      return `{ [name: string]: ${this.of(schema.additionalProperties, indent)} }`;
    if (typeof schema.type === 'string') return schema.type === 'integer' ? 'number' : schema.type;
    return schema.type?.join(' | ') ?? 'unknown';
  }

  #object({ properties = {}, required = [] }: Schema, indent: string): string {
    const inner = `${indent}  `;
    const lines = Object.entries(properties).flatMap(([name, each]) => [
      ...(each.description === undefined ? [] : [`${inner}// ${each.description}`]),
      `${inner}${name}${required.includes(name) ? '' : '?'}: ${this.of(each, inner)};`,
    ]);
    return `{\n${lines.join('\n')}\n${indent}}`;
  }
}
