import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { detachListeners } from './detach-listeners.ts';

/**
 * Makes a server reject requests that web pages from other sites send through a browser. The local service requires no
 * login, so it must not be accessible to pages that a developer visits.
 *
 * - A request with the `Origin` of another site receives a 403 response. A page at a public IP address counts as
 *   another site.
 * - A request whose `Host` is a name that can be registered on the internet receives a 403 response. With DNS
 *   rebinding, a page's host name can resolve to this machine, and the page's requests then have no foreign origin.
 *
 * Programs are unaffected: they send no `Origin`. Programs address this machine as `localhost`, by an IP address, or by
 * a name without public meaning, such as `tracker` or, between containers, `host.docker.internal`.
 *
 * @param server a server that already has its request listeners.
 * @param checksOrigins true if the server checks origins itself, as the API does.
 * @see https://en.wikipedia.org/wiki/DNS_rebinding
 */
export function rejectForeignPages<Served extends Server>(
  server: Served,
  { checksOrigins = false } = {},
): Served {
  const accept = detachListeners(server);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const violation =
      hostViolation(request.headers) ??
      (checksOrigins ? undefined : originViolation(request.headers));
    if (violation === undefined) accept(request, response);
    else sendForbidden(request, response, violation);
  });
  return server;
}

/** Returns the reason to reject a request because of its `Host`, or undefined if the request is allowed. */
function hostViolation(headers: IncomingMessage['headers']): string | undefined {
  // HTTP/2 has `:authority` instead of `Host`.
  const host = headers.host ?? (headers[':authority'] as string | undefined);
  if (host === undefined || isPrivateName(hostnameIn(`http://${host}`))) return undefined;
  return `${JSON.stringify(host)} is not a name of this machine; use 127.0.0.1 or localhost`;
}

/** Returns the reason to reject a request because of the page that sent it, or undefined if the request is allowed. */
function originViolation({ origin }: IncomingMessage['headers']): string | undefined {
  const name = origin === undefined ? undefined : hostnameIn(origin);
  if (origin === undefined || (isPrivateName(name) && !isPublicAddress(name))) return undefined;
  return `pages from ${JSON.stringify(origin)} must not access this service`;
}

function hostnameIn(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** The names that cannot be registered on the internet. IPv6 addresses are in brackets, as in URLs. */
const privateName =
  /^(?:\[[\d:a-f.]+\]|\d+(?:\.\d+){3}|[^.]+|.+\.(?:localhost|local|internal|test))$/;

const isPrivateName = (name: string | undefined): name is string =>
  name !== undefined && privateName.test(name);

/**
 * The addresses of this machine and of private networks. An IPv4-mapped IPv6 address is treated like its IPv4 address.
 */
const privateAddresses = new BlockList();
privateAddresses.addSubnet('127.0.0.0', 8);
privateAddresses.addSubnet('10.0.0.0', 8);
privateAddresses.addSubnet('172.16.0.0', 12);
privateAddresses.addSubnet('192.168.0.0', 16);
privateAddresses.addSubnet('169.254.0.0', 16);
privateAddresses.addAddress('::1', 'ipv6');
privateAddresses.addSubnet('fc00::', 7, 'ipv6');
privateAddresses.addSubnet('fe80::', 10, 'ipv6');

function isPublicAddress(name: string): boolean {
  const address = name.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(address);
  return version !== 0 && !privateAddresses.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

function sendForbidden(request: IncomingMessage, response: ServerResponse, detail: string): void {
  request.resume();
  const body = JSON.stringify({ title: 'Forbidden', status: 403, detail, message: detail });
  response.writeHead(403, {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
