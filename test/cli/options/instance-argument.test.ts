import { describe, expect, it } from 'vitest';
import { instance } from '../samples.ts';
import { ask, service, startServicePerTest } from '../service-per-test.ts';

startServicePerTest();

describe('an instance as one argument', () => {
  it('is accepted in the form in which messages show it', async () => {
    service.data.instances = [instance({ parked: 2 }), instance({ transaction: 'a/b' })];
    const status = await ask(['status', 'activation/a/b']);
    expect(status.stdout).toContain('activation/a/b\n');
    expect((await ask(['history', 'activation/ATV-123', '--json'])).status).toBe(0);
    const redriven = await ask(['redrive', 'activation/ATV-123']);
    expect(redriven.stdout).toContain('redriving 2 parked events of activation/ATV-123');
  });

  it('is accepted before another argument', async () => {
    service.data.links = {
      'activation/a/b': ['l1', 'l2', 'l3'].map((id) => ({ id, createdAt: '', expiresAt: '' })),
    };
    expect(await ask(['revoke', 'activation/a/b', 'l1', 'l3'])).toMatchObject({
      status: 0,
      stdout: 'revoked link l1\nrevoked link l3\n',
    });
    await ask(['explain', 'activation/a/b', 'app.mail']);
    expect(service.received.at(-1)?.url).toBe(
      '/api/instances/activation/a%2Fb/explain?field=%2Fapp%2Fmail',
    );
  });

  it('is a usage error if a part is missing', async () => {
    for (const argument of ['activation', 'activation/', '/ATV-123', 'activation/..'])
      expect(await ask(['status', argument])).toMatchObject({
        status: 2,
        stderr: "error: missing required argument 'transaction'\n(use --help for usage)\n",
      });
    expect(service.received).toEqual([]);
  });
});
