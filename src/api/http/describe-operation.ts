import type { MiddlewareHandler } from 'hono';
import { uniqueSymbol } from 'hono-openapi';
import type { GenericSchema } from 'valibot';
import { answerSchema, requestSchema } from './json-schema.ts';
import { problemTitles } from './problem.ts';
import { problem } from './problem-schema.ts';
import { checkQuery, describeQuery, type QueryParameters } from './query.ts';

/** What the description says of one operation. */
export interface Operation {
  /** The task that it does, unique among operations: the title of its page. */
  readonly summary: string;
  /** What it does or returns, in a sentence or two. */
  readonly description: string;
  readonly tag: 'events' | 'instances' | 'links' | 'models' | 'dead letters' | 'service';
  /** What is answered when all goes well, by status; null: no body. */
  readonly answers: Readonly<Record<number, GenericSchema | null>>;
  /** With which statuses it may be refused, besides 403, 500 and 503. */
  readonly problems?: readonly (400 | 404 | 409)[];
  /** The parts of its path that vary. */
  readonly path?: Readonly<Record<string, GenericSchema>>;
  /** The parameters that the query may have; any other is refused. */
  readonly query?: QueryParameters;
  /** The request's body; `schema` makes its JSON Schema. */
  readonly body?: {
    readonly text: string;
    readonly schema: () => object;
    /** A body that the schema accepts, for people to copy. */
    readonly example: unknown;
  };
  /** Whether answers have an `ETag`, and a request with `If-None-Match` may get a 304. */
  readonly revalidated?: boolean;
}

/** Says what a route does, for /api/openapi.json, and refuses a query that it does not describe. */
export function describeOperation(operation: Operation): MiddlewareHandler {
  const { query = {} } = operation;
  const check: MiddlewareHandler = async (context, next) => {
    checkQuery(query, context.req.queries());
    await next();
  };
  const description = {
    // Made when it is asked for: most instances of the Lambda never are.
    get spec() {
      return specification(operation);
    },
  };
  return Object.assign(check, { [uniqueSymbol]: description });
}

function specification(operation: Operation) {
  const {
    summary,
    description,
    tag,
    answers,
    problems = [],
    path = {},
    query = {},
    body,
  } = operation;
  const headers = operation.revalidated && { headers: { ETag: header('names this answer') } };
  const good = Object.entries(answers).map(([status, schema]) => [
    status,
    {
      description,
      ...headers,
      ...(schema && { content: { 'application/json': { schema: answerSchema(schema) } } }),
    },
  ]);
  // Any call may have a query parameter that does not exist.
  const refusals = new Set([400, ...problems, 403, 500, 503]);
  return {
    summary,
    description,
    tags: [tag],
    parameters: [...describePath(path), ...describeQuery(query)],
    ...(body && {
      requestBody: {
        description: body.text,
        required: true,
        content: { 'application/json': { schema: body.schema(), example: body.example } },
      },
    }),
    responses: Object.fromEntries([
      ...good,
      ...(headers ? [[304, { description: 'Not changed', ...headers }]] : []),
      ...[...refusals].map(describeProblem),
      ...(body ? [[413, { description: tooLargeText }]] : []),
    ]) as object,
  };
}

const tooLargeText =
  'Too large for the gateway of the service, which takes 6 MB or more and has answers of its own';

const describePath = (path: Readonly<Record<string, GenericSchema>>) =>
  Object.entries(path).map(([name, each]) => {
    const { description, ...schema } = requestSchema(each);
    return { in: 'path', name, required: true, description, schema };
  });

const header = (description: string, schema: object = { type: 'string' }) => ({
  description,
  required: true,
  schema,
});

const retryAfter = header('seconds to wait before trying again', { type: 'integer', minimum: 1 });

const describeProblem = (status: number) => [
  status,
  {
    description: problemTitles[status]!,
    ...(status === 503 && { headers: { 'Retry-After': retryAfter } }),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  },
];

/** The schemas that operations refer to by name. */
export const namedSchemas = () => ({ Problem: answerSchema(problem), Json: anyJson });

/** JSON that comes through unchanged: see `parseExact`. */
const anyJson = {
  description:
    'any JSON, nested up to 100 deep; a number that a double cannot hold exactly has to be sent as a string',
  anyOf: [
    { type: ['null', 'boolean', 'string'] },
    { type: 'number', format: 'double' },
    { type: 'array', items: { $ref: '#/components/schemas/Json' } },
    {
      type: 'object',
      propertyNames: { not: { const: '__proto__' } },
      additionalProperties: { $ref: '#/components/schemas/Json' },
    },
  ],
};
