import type { ApiDependencies } from '../../src/api/api-dependencies.ts';
import { createApi } from '../../src/api/app.ts';
import { systemClock } from '../../src/common/clock.ts';

/** A JSON Schema, limited to the members that the pages show. */
export interface Schema {
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
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

/** The body of a request or a response. */
export interface Content {
  readonly description?: string;
  readonly content?: Readonly<
    Record<string, { readonly schema: Schema; readonly example?: unknown }>
  >;
}

/** A variable part of a path, or a query parameter. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema?: Schema;
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  /** The task, such as `List instances`. */
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** The HTTP API as `/api/openapi.json` describes it. */
export interface ApiDescription {
  /** The description of the API as a whole. */
  readonly text: string;
  readonly operations: readonly Operation[];
  /** The schemas to which `$ref` refers, by name. */
  readonly schemas: Readonly<Record<string, Schema>>;
}

interface OpenApi {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Reads the OpenAPI description from the API itself. */
export async function readApiDescription(): Promise<ApiDescription> {
  const dependencies: Partial<ApiDependencies> = {
    clock: systemClock,
    corsOrigins: [],
    rolesOf: () => undefined,
    logError(error) {
      throw error;
    },
  };
  // The route that returns the description uses no other dependency.
  const response = await createApi(dependencies as ApiDependencies).request('/api/openapi.json');
  const { info, paths, components } = (await response.json()) as OpenApi;
  return {
    text: info.description,
    operations: Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters ?? [],
      })),
    ),
    schemas: components.schemas,
  };
}
