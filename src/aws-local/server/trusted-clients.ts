import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { BlockList, isIP } from 'node:net';

/**
 * Has a server refuse requests that a web page from elsewhere makes a browser send: nobody logs in on
 * one's own machine, so the pages that a developer visits must not reach the service.
 *
 * - A request with an `Origin` of another site gets a 403, whatever it asks for. A page of a public address is
 *   one as well.
 * - A `Host` that can be registered on the internet gets a 403: by DNS rebinding, a page's own name
 *   may resolve to this machine, and then its requests carry no foreign origin.
 *
 * Programs are not affected: they send no `Origin`, and name this machine by `localhost`, an address,
 * or a name without public meaning, such as `tracker` or `host.docker.internal` between containers.
 *
 * @param server its request listeners are there already.
 * @param answersOrigins true for a server that decides itself which origins it answers, as the API does.
 * @see https://en.wikipedia.org/wiki/DNS_rebinding
 */
export function refuseForeignPages<Served extends Server>(
  server: Served,
  { answersOrigins = false } = {},
): Served {
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const refusal =
      refusalOfHost(request.headers) ??
      (answersOrigins ? undefined : refusalOfOrigin(request.headers));
    if (refusal === undefined)
      for (const listener of listeners) listener.call(server, request, response);
    else refuse(request, response, refusal);
  });
  return server;
}

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** Why a request is refused because of the name that it has for this machine. */
function refusalOfHost(headers: IncomingMessage['headers']): string | undefined {
  // HTTP/2 has the authority instead.
  const host = headers.host ?? (headers[':authority'] as string | undefined);
  if (host === undefined || isPrivateName(hostnameIn(`http://${host}`))) return undefined;
  return `${JSON.stringify(host)} is not a name of this machine: use 127.0.0.1 or localhost`;
}

/** Why a request is refused because of the page that sent it. */
function refusalOfOrigin({ origin }: IncomingMessage['headers']): string | undefined {
  const name = origin === undefined ? undefined : hostnameIn(origin);
  if (origin === undefined || (isPrivateName(name) && !isPublicAddress(name))) return undefined;
  return `pages of ${JSON.stringify(origin)} may not use this service`;
}

function hostnameIn(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** Names that nobody can register on the internet. A URL has IPv6 addresses in brackets. */
const privateName =
  /^(?:\[[\d:a-f.]+\]|\d+(?:\.\d+){3}|[^.]+|.+\.(?:localhost|local|internal|test))$/;

const isPrivateName = (name: string | undefined): name is string =>
  name !== undefined && privateName.test(name);

/** Addresses of this machine and of networks without public addresses; mapped ones are known as IPv4. */
const privateAddresses = new BlockList();
for (const [network, prefix] of [
  ...([
    ['127.0.0.0', 8],
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
  ] as const),
  ...([
    ['192.168.0.0', 16],
    ['169.254.0.0', 16],
  ] as const),
])
  privateAddresses.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateAddresses.addSubnet(network, prefix, 'ipv6');

function isPublicAddress(name: string): boolean {
  const address = name.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(address);
  return version !== 0 && !privateAddresses.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

function refuse(request: IncomingMessage, response: ServerResponse, detail: string): void {
  request.resume();
  const body = JSON.stringify({ title: 'Forbidden', status: 403, detail, message: detail });
  response.writeHead(403, {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
