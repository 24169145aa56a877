import { describe, expect, it } from 'vitest';
import { instance } from '../../samples.ts';
import { ask, minutesAgo, service, startServicePerTest } from '../../service-per-test.ts';
import { json } from '../../stub-service.ts';

startServicePerTest();

describe('milepost list', () => {
  it('passes its filters to the API', async () => {
    service.data.instances = [
      instance({ transaction: 'ATV-1', status: 'Active', updatedAt: minutesAgo(7) }),
      instance({ transaction: 'ATV-2', status: 'Suspended', parked: 4 }),
      instance({ transaction: 'BTV-1', status: 'Active' }),
      instance({ transaction: 'ATV-3', status: 'Active', model: 'other' }),
    ];
    const { stdout } = await ask(
      ['list', '--model', 'activation', '--status', 'Active', '--q', 'ATV'],
      {},
    );
    expect(stdout).toMatchInlineSnapshot(`
      "model       transaction  status  progress  updated
      activation  ATV-1        Active       66%  7m ago
      "
    `);
    expect(service.received.map(({ url }) => url)).toEqual([
      '/api/instances?model=activation&status=Active&q=ATV',
    ]);
  });

  it('prints only late instances if --late is set, and only instances with parked events if --parked is set', async () => {
    const milestones = [{ id: 'a', label: 'A', state: 'late' }];
    service.data.instances = [
      instance({ transaction: 'late', milestones }),
      instance({ transaction: 'parked', parked: 1 }),
      instance({ transaction: 'both', milestones, parked: 1 }),
    ];
    const found = async (...options: string[]) =>
      [...(await ask(['list', ...options])).stdout.matchAll(/^activation +(\w+)/gm)].map(
        ([, transaction]) => transaction,
      );
    expect(await found('--late')).toEqual(['late', 'both']);
    expect(await found('--parked', '--all')).toEqual(['parked', 'both']);
    expect(await found('--late', '--parked')).toEqual(['both']);
    expect(service.received.map(({ url }) => url)).toEqual([
      '/api/instances?late=true',
      '/api/instances?parked=true&limit=100',
      '/api/instances?late=true&parked=true',
    ]);
  });

  it('shows which milestones are late or at risk if --risk is set', async () => {
    const updatedAt = minutesAgo(3);
    const risk = (state: string, more: object) => ({ state, milestone: 'paid', ...more });
    service.script = () =>
      json(200, {
        instances: [
          instance({
            transaction: 'L',
            updatedAt,
            risk: risk('late', { since: minutesAgo(99), lateBy: 'P1DT2H' }),
          }),
          instance({
            transaction: 'R',
            updatedAt,
            risk: risk('at-risk', { since: minutesAgo(5) }),
          }),
          instance({
            transaction: 'U',
            updatedAt,
            risk: { state: 'late', milestone: null, since: minutesAgo(5), lateBy: 'PT5M' },
          }),
        ],
      });
    const { stdout } = await ask(['list', '--risk', 'late']);
    expect(service.received.at(-1)!.url).toBe('/api/instances?risk=late');
    expect(stdout).toMatchInlineSnapshot(`
      "model       transaction  status  progress  risk                         updated
      activation  L            Active       66%  late: paid, 1d 2h            3m ago
      activation  R            Active       66%  at risk: paid, began 5m ago  3m ago
      activation  U            Active       66%  late, 5m                     3m ago
      "
    `);
  });

  it('rejects an unknown --risk, and --late together with --risk, as usage errors', async () => {
    expect((await ask(['list', '--risk', 'never'])).status).toBe(2);
    expect((await ask(['list', '--late', '--risk', 'at-risk'])).status).toBe(2);
    expect(service.received).toEqual([]);
  });

  it('passes --key and --order to the API', async () => {
    await ask(['list', '--key', 'customer:42']);
    await ask(['list', '--late', '--order', 'oldest']);
    expect(service.received.map(({ url }) => url)).toEqual([
      '/api/instances?key=customer%3A42',
      '/api/instances?order=oldest&late=true',
    ]);
  });

  it('prints the total, if it is known, when the list has more pages', async () => {
    const page = (more: object) => () => json(200, { instances: [instance({})], ...more });
    service.script = page({ cursor: 'v1.abc', total: 1_234 });
    const { stderr } = await ask(['list', '--limit', '1']);
    expect(stderr).toBe('There are 1234 rows in total; use --all to show all.\n');
    service.script = page({ cursor: 'v1.abc' });
    expect((await ask(['list', '--limit', '1'])).stderr).toBe(
      'There are more rows; use --all to show all.\n',
    );
    service.script = page({ total: 1 });
    expect((await ask(['list'])).stderr).toBe('');
  });

  it('reports on standard error that no instance matches', async () => {
    const { status, stdout, stderr } = await ask(['list']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(stderr).toBe('No matching instances.\n');
  });
});
