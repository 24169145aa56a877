import type { MiddlewareHandler } from 'hono';
import { uniqueSymbol } from 'hono-openapi';
import type { GenericSchema } from 'valibot';
import { answerSchema, requestSchema } from './json-schema.ts';
import { problemTitles } from './problem.ts';
import { problem } from './problem-schema.ts';
import { checkQuery, describeQuery, type QueryParameters } from './query.ts';

/** An operation as /api/openapi.json describes it. */
export interface Operation {
  /** The name of the operation in generated clients: a verb and a noun in camel case. */
  readonly id: string;
  /**
   * The task that the operation performs. The summary is also the title of the operation's page, so it must be unique.
   */
  readonly summary: string;
  /** The effect or the result, in a few sentences. */
  readonly description: string;
  readonly tag: 'events' | 'instances' | 'links' | 'models' | 'dead letters' | 'service';
  /** The schemas of successful responses, by status; null for no body. */
  readonly answers: Readonly<Record<number, GenericSchema | null>>;
  /** The statuses of problem responses, in addition to 400, 403, 500, and 503. */
  readonly problems?: readonly (400 | 404 | 409 | 415)[];
  /** The path parameters, by name. */
  readonly path?: Readonly<Record<string, GenericSchema>>;
  /** The query parameters. A request with any other parameter is rejected. */
  readonly query?: QueryParameters;
  /** The request body. */
  readonly body?: {
    readonly text: string;
    /** Returns the JSON Schemas of the body by media type, including `application/json`. */
    readonly schemas: () => Readonly<Record<string, object>>;
    /** A valid body for users to copy, as `application/json`. */
    readonly example: unknown;
  };
  /** True if responses have an `ETag`, and a request with `If-None-Match` can receive a 304 response. */
  readonly revalidated?: boolean;
}

/**
 * Creates middleware that adds a route to /api/openapi.json and rejects a query that does not match the description.
 */
export function describeOperation(operation: Operation): MiddlewareHandler {
  const { query = {} } = operation;
  const check: MiddlewareHandler = async (context, next) => {
    checkQuery(query, context.req);
    await next();
  };
  const description = {
    // The schema is computed on demand, because most execution environments never serve the description.
    get spec() {
      return specification(operation);
    },
  };
  return Object.assign(check, { [uniqueSymbol]: description });
}

function specification(operation: Operation) {
  const {
    id,
    summary,
    description,
    tag,
    answers,
    problems = [],
    path = {},
    query = {},
    body,
  } = operation;
  const headers = operation.revalidated && { headers: { ETag: header('the response version') } };
  const good = Object.entries(answers).map(([status, schema]) => [
    status,
    {
      description,
      ...headers,
      ...(schema && { content: { 'application/json': { schema: answerSchema(schema) } } }),
    },
  ]);
  // Every operation can return 400, because a request can always contain an unknown query parameter.
  const problemStatuses = new Set([400, ...problems, 403, 500, 503]);
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    parameters: [...describePath(path), ...describeQuery(query)],
    ...(body && {
      requestBody: {
        description: body.text,
        required: true,
        content: Object.fromEntries(
          Object.entries(body.schemas()).map(([type, schema]) => [
            type,
            { schema, ...(type === 'application/json' && { example: body.example }) },
          ]),
        ),
      },
    }),
    responses: Object.fromEntries([
      ...good,
      ...(headers ? [[304, { description: 'Not modified', ...headers }]] : []),
      ...[...problemStatuses].map(describeProblem),
      ...(body ? [[413, { description: tooLargeText }]] : []),
    ]) as object,
  };
}

const tooLargeText =
  'Content too large: the gateway in front of the service rejected the body; it accepts at least 3 MB, and up to 6 MB ' +
  'if the body contains few quotation marks';

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

const retryAfter = header('the number of seconds to wait before a retry', {
  type: 'integer',
  minimum: 1,
});

const describeProblem = (status: number) => [
  status,
  {
    description: problemTitles[status]!,
    ...(status === 503 && { headers: { 'Retry-After': retryAfter } }),
    content: { 'application/problem+json': { schema: answerSchema(problem) } },
  },
];
