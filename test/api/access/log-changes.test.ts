import { beforeEach, describe, expect, it } from 'vitest';
import { placed } from '../../support/data/events.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';

let api: MemoryApi;
beforeEach(async () => {
  api = new MemoryApi();
  await api.apply(placed(1, { transaction: 'T/1' }));
});

const by = { sub: 'u-1', email: 'ann@example.com' };
const send = (method: string, path: string, env: object = { caller: by }) =>
  api.app.request(path, { method }, env);

describe('the log of changes', () => {
  it('contains the caller, the operation, and the status of each change', async () => {
    await send('POST', '/api/instances/counter/T%2F1/redrive');
    await send('DELETE', '/api/links/nothing');
    expect(api.changes).toEqual([
      { by, method: 'POST', path: '/api/instances/counter/T%2F1/redrive', status: 202 },
      { by, method: 'DELETE', path: '/api/links/nothing', status: 404 },
    ]);
  });

  it('contains changes that were rejected because the caller lacks the role', async () => {
    await send('POST', '/api/instances/counter/T%2F1/forget', { caller: by, roles: ['viewer'] });
    expect(api.changes).toMatchObject([{ by, status: 403 }]);
  });

  it('contains requests with a method that the path does not support', async () => {
    await send('PUT', '/api/instances/counter/T%2F1');
    expect(api.changes).toMatchObject([{ by, method: 'PUT', status: 405 }]);
  });

  it('omits read requests and requests from unknown callers', async () => {
    await send('GET', '/api/instances');
    await send('OPTIONS', '/api/instances');
    await send('POST', '/api/instances/counter/T%2F1/redrive', {});
    expect(api.changes).toEqual([]);
  });
});
