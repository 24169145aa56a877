import { beforeEach, describe, expect, it } from 'vitest';
import { instance } from '../../samples.ts';
import { ask, service, startServicePerTest } from '../../service-per-test.ts';
import { json } from '../../stub-service.ts';

startServicePerTest();

describe('milepost forget', () => {
  beforeEach(() => {
    service.data.instances = [instance()];
  });

  it('destroys the personal data of an instance and prints the number of revoked links', async () => {
    expect(await ask(['forget', 'activation', 'ATV-123'])).toMatchObject({
      status: 0,
      stdout: 'destroyed the personal data of activation/ATV-123\n',
    });
    expect(service.received[1]).toMatchObject({
      method: 'POST',
      url: '/api/instances/activation/ATV-123/forget',
    });
    const times = { createdAt: '2026-11-01T12:00:00Z', expiresAt: '2026-11-28T12:00:00Z' };
    service.data.links = { 'activation/ATV-123': [{ id: 'a', ...times }] };
    expect((await ask(['forget', 'activation', 'ATV-123'])).stdout).toBe(
      'destroyed the personal data of activation/ATV-123\nrevoked 1 link to its status page\n',
    );
    expect(await ask(['forget', 'activation', 'ATV-9'])).toMatchObject({ status: 1 });
  });

  it('continues to the end of the history and counts the commits that contained plain text', async () => {
    service.forgets = [
      { forgotten: true, rewritten: 25, parked: 2, cursor: '1' },
      { forgotten: true, rewritten: 3, parked: 2 },
    ];
    const { status, stdout } = await ask(['forget', 'activation', 'ATV-123']);
    expect(status).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "destroyed the personal data of activation/ATV-123
      removed plain text from 28 commits
      parked events that still contain plain text: 2; redrive them, or delete their dead letters
      "
    `);
    expect(service.received.map(({ url }) => url)).toEqual([
      '/api/instances/activation/ATV-123',
      '/api/instances/activation/ATV-123/forget',
      '/api/instances/activation/ATV-123/forget?cursor=1',
    ]);
    const asJson = await ask(['forget', 'activation', 'ATV-123', '--json']);
    expect(JSON.parse(asJson.stdout)).toEqual({
      forgotten: true,
      rewritten: 28,
      parked: 2,
      revokedLinks: 0,
    });
  });

  it('sends no forget request if the request would reach another instance', async () => {
    // An HTTP API decodes paths twice, which has the same effect.
    service.script = ({ method }) =>
      method === 'GET' ? json(200, { ...instance(), transaction: 'a/b' }) : undefined;
    expect(await ask(['forget', 'activation', 'a%2Fb'])).toMatchObject({ status: 1 });
    expect(service.received.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('reports that the history of an unregistered model was not searched', async () => {
    service.forgets = [{ forgotten: true, rewritten: null, parked: 0 }];
    const { stdout } = await ask(['forget', 'activation', 'ATV-123']);
    expect(stdout).toContain('its model is not registered');
  });
});
