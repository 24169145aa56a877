import { Hono } from 'hono';
import type { ApiDependencies } from '../api-dependencies.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { me } from './me-schema.ts';
import { allRoles } from './roles.ts';

/** Reports the caller's roles so that a page can offer only the actions that the caller may perform. */
export function meRoutes({ rolesOf }: Pick<ApiDependencies, 'rolesOf'>): Hono {
  return new Hono().get('/', describeOperation(operation), (context) => {
    // If the roles are undefined, the platform authorized the request, and the caller may do everything.
    const roles = rolesOf(context.env) ?? allRoles;
    return context.json({ roles });
  });
}

const operation: Operation = {
  id: 'getCaller',
  summary: 'Get your roles',
  description: "Returns the caller's roles.",
  tag: 'service',
  answers: { 200: me },
};
