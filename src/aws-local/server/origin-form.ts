import type { Server } from 'node:http';

/**
 * Converts the target of each request to the origin form: a path with a query. Servers must also accept the absolute
 * form, such as http://127.0.0.1:4500/api (RFC 9112, section 3.2.2). Listeners that are already registered receive the
 * converted target.
 */
export const useOriginForm = <Served extends Server>(server: Served): Served =>
  server.prependListener('request', (request) => {
    request.url = originForm(request.url ?? '');
  });

function originForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}
