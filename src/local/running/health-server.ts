import { createServer, type Server } from 'node:http';
import type { StalledShard } from '../../aws-local/event-source/stalls.ts';

/** A stalled shard, with the name of its stream. */
export interface StalledStreamShard extends StalledShard {
  readonly stream: string;
}

/**
 * Responds to `GET /api/health` with 503 while a shard of a stream makes no progress. Forwards all other requests to
 * the API.
 *
 * @param api the API's server, which does not listen itself.
 */
export function createHealthServer(
  api: Server,
  stalled: () => readonly StalledStreamShard[],
): Server {
  return createServer((request, response) => {
    const isHealth = /^\/api\/health(?:\?|$)/.test(request.url ?? '');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const shards = isHealth && isRead ? stalled() : [];
    if (shards.length === 0) {
      api.emit('request', request, response);
      return;
    }
    request.resume();
    const body = JSON.stringify({
      title: 'Service unavailable',
      status: 503,
      detail: 'events on the stream are not being processed; see `stalledShards`',
      ok: false,
      stalledShards: shards.map((shard) => ({ ...shard, since: new Date(shard.since) })),
    });
    response
      .writeHead(503, {
        'content-type': 'application/problem+json',
        'content-length': Buffer.byteLength(body),
        'cache-control': 'no-store',
      })
      .end(body);
  });
}
