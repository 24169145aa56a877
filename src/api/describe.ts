import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { MiddlewareHandler } from 'hono';
import { describeRoute, resolver } from 'hono-openapi';
import { titles } from './problem.ts';
import { problem } from './schemas.ts';

/** What the description says of one operation. */
export interface Operation {
  readonly summary: string;
  readonly tag: 'events' | 'instances' | 'models' | 'dead letters' | 'service';
  /** What is answered when all goes well, by status; null: no body. */
  readonly answers: Readonly<Record<number, StandardSchemaV1 | null>>;
  /** With which statuses it may be refused, besides 403, 500 and 503. */
  readonly problems?: readonly (400 | 404 | 409 | 413)[];
  /** What the query of the request may have, with what it is. */
  readonly query?: Readonly<Record<string, string | { text: string; schema: object }>>;
  /** The request's body, as JSON Schema. */
  readonly body?: { readonly text: string; readonly schema: object };
}

/** The query of every list. */
export const pageQuery = {
  limit: {
    text: 'how many at most',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
  },
  cursor: 'where to go on, as an earlier answer said',
} as const;

/** Says what a route does, for /api/openapi.json. */
export function describe(operation: Operation): MiddlewareHandler {
  const { summary, tag, answers, problems = [], query = {}, body } = operation;
  const good = Object.entries(answers).map(([status, schema]) => [
    status,
    {
      description: summary,
      ...(schema && { content: { 'application/json': { schema: resolver(schema) } } }),
    },
  ]);
  const bad = [...problems, 403, 500, 503].map((status) => [
    String(status),
    {
      description: titles[status]!,
      content: { 'application/problem+json': { schema: resolver(problem) } },
    },
  ]);
  return describeRoute({
    summary,
    tags: [tag],
    responses: Object.fromEntries([...good, ...bad]) as Parameters<
      typeof describeRoute
    >[0]['responses'],
    parameters: Object.entries(query).map(([name, each]) => ({
      in: 'query',
      name,
      ...(typeof each === 'string'
        ? { description: each, schema: { type: 'string' } }
        : { description: each.text, schema: each.schema }),
    })),
    ...(body && {
      requestBody: {
        description: body.text,
        required: true,
        content: { 'application/json': { schema: body.schema } },
      },
    }),
  });
}
