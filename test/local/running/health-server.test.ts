import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listen, type RunningServer } from '../../../src/aws-local/server/listen.ts';
import {
  createHealthServer,
  type StalledStreamShard,
} from '../../../src/local/running/health-server.ts';

const api = createServer((_, response) => response.end('{"ok":true}'));
let stalled: StalledStreamShard[];
let server: RunningServer;
beforeAll(async () => {
  server = await listen(
    createHealthServer(api, () => stalled),
    0,
  );
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  stalled = [];
});

const stall = {
  stream: 'milepost-events',
  shardId: 'shardId-000000000000',
  since: Date.UTC(2026, 0, 1),
  reason: 'it cannot be read: the endpoint is gone',
};

describe('the health check of the local service', () => {
  it('returns the response from the API while every shard makes progress', async () => {
    const answer = await fetch(`${server.url}/api/health`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('{"ok":true}');
  });

  it('returns 503 while a shard is stalled, with the shard and the reason', async () => {
    stalled = [stall];
    const answer = await fetch(`${server.url}/api/health`);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject({
      status: 503,
      ok: false,
      stalledShards: [{ ...stall, since: '2026-01-01T00:00:00.000Z' }],
    });
    const head = await fetch(`${server.url}/api/health`, { method: 'HEAD' });
    expect(head.status).toBe(503);
  });

  it('forwards other requests to the API', async () => {
    stalled = [stall];
    for (const [path, method] of [
      ['/api/healthy', 'GET'],
      ['/api/instances', 'GET'],
      ['/api/health', 'POST'],
    ] as const)
      expect((await fetch(server.url + path, { method })).status).toBe(200);
  });
});
