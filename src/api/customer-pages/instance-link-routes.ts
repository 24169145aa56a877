import { Hono } from 'hono';
import { isCustomerLinkId } from '../../core/status/customer-link.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { cursorMember, cursorSchema, pageQuery, pageRequest } from '../http/paging.ts';
import { instancePath, linkPath } from '../http/path-parameters.ts';
import { Problem } from '../http/problem.ts';
import { checkInstanceKey, readInstance } from '../instances/read-instance.ts';
import { linkPage, revokedLinks } from './link-schemas.ts';

/** The maximum length of a cursor: an id of 26 characters in Base64. */
const maximumCursorLength = 40;

/**
 * Lists and revokes the links to an instance's status page. If customer pages are turned off, no instance has links.
 * Links can be revoked even if the instance cannot be read.
 */
export function instanceLinkRoutes({
  instances,
  links,
}: Pick<RouteDependencies, 'instances' | 'links'>): Hono {
  return new Hono()
    .get(
      '/:model/:transaction{[^]+}/links',
      describeOperation(operations.list),
      async (context) => {
        const key = checkInstanceKey(context.req.param());
        const query = { ...context.req.query(), ...key };
        const request = pageRequest('links', query);
        await readInstance(instances, key);
        const page = links ? await links.list(key, request) : { items: [] };
        return context.json({
          links: page.items,
          customerPages: links !== undefined,
          ...cursorMember('links', page.cursor, query),
        });
      },
    )
    .delete(
      '/:model/:transaction{[^]+}/links',
      describeOperation(operations.revokeAll),
      async (context) => {
        const key = checkInstanceKey(context.req.param());
        return context.json({ revoked: (await links?.revokeAll(key)) ?? 0 });
      },
    )
    .delete(
      '/:model/:transaction{[^]+}/links/:id',
      describeOperation(operations.revoke),
      async (context) => {
        const { id, ...named } = context.req.param();
        const key = checkInstanceKey(named);
        const outcome = isCustomerLinkId(id) ? await links?.revoke(key, id) : undefined;
        if (outcome === 'revoked') return context.body(null, 204);
        throw new Problem(
          404,
          `the instance has no link ${id}; it may have expired or been revoked`,
        );
      },
    );
}

const tag = 'links';
const operations = {
  list: {
    id: 'listLinks',
    summary: "List links to an instance's status page",
    description: 'Returns the valid links, newest first.',
    tag,
    path: instancePath,
    revalidated: true,
    answers: { 200: linkPage },
    problems: [404],
    query: { ...pageQuery, cursor: cursorSchema(maximumCursorLength) },
  },
  revoke: {
    id: 'revokeLink',
    summary: "Revoke a link to an instance's status page",
    description: 'Revokes a link. The link stops working immediately.',
    tag,
    path: linkPath,
    answers: { 204: null },
    problems: [404],
  },
  revokeAll: {
    id: 'revokeLinks',
    summary: "Revoke all links to an instance's status page",
    description: 'Revokes every link to the status page. The links stop working immediately.',
    tag,
    path: instancePath,
    answers: { 200: revokedLinks },
    problems: [404],
  },
} satisfies Record<string, Operation>;
