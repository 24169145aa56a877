import { Hono } from 'hono';
import type { ApiDependencies } from '../api-dependencies.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { me } from './me-schema.ts';

/** What whoever asks may do, so that a page need not offer what would be refused. */
export function meRoutes({ rolesOf }: Pick<ApiDependencies, 'rolesOf'>): Hono {
  return new Hono().get('/', describeOperation(operation), (context) => {
    // Where the platform decides who may do what, it has decided already.
    const roles = rolesOf(context.env) ?? ['viewer', 'operator'];
    return context.json({ roles });
  });
}

const operation: Operation = {
  summary: 'Get your roles',
  description: 'Returns the roles of the caller.',
  tag: 'service',
  answers: { 200: me },
};
