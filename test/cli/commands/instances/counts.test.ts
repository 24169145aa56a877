import { describe, expect, it } from 'vitest';
import { run } from '../../run.ts';
import { service, startServicePerTest } from '../../service-per-test.ts';
import { json, problem } from '../../stub-service.ts';

startServicePerTest();

const ask = (...argv: string[]) => run(['--api', service.url, ...argv]);

describe('milepost counts', () => {
  it('prints the counts of a model and passes the grouping to the API', async () => {
    service.script = () =>
      json(200, {
        model: 'orders',
        by: 'key:customer',
        counts: [
          { value: '42', instances: 12 },
          { value: 'a\u0007b', instances: 3 },
        ],
      });
    const { status, stdout } = await ask('counts', 'orders', '--by', 'key:customer');
    expect(status).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "value   instances
      42             12
      a\\x07b          3
      "
    `);
    expect(service.received.map(({ url }) => url)).toEqual([
      '/api/counts?model=orders&by=key%3Acustomer',
    ]);
  });

  it.each([
    ['key:customer', 'No instance of orders has the business key customer.'],
    ['status', 'There are no instances of orders.'],
  ])('prints a message on standard error if there are no counts by %s', async (by, text) => {
    service.script = () => json(200, { model: 'orders', by, counts: [] });
    const { status, stdout, stderr } = await ask('counts', 'orders', '--by', by);
    expect([status, stdout, stderr]).toEqual([0, '', `${text}\n`]);
  });

  it('says that --limit has no effect on counts by status, which the API returns on one page', async () => {
    const { stdout } = await run(['counts', '--help']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Counts by status always include every status, so --limit has no effect on them.',
    );
  });

  it.each([
    [['counts'], "missing required argument 'model'"],
    [['counts', 'orders', '--by', 'week'], 'It must be status, day, or key:'],
  ])('rejects %j with a usage error', async (argv, message) => {
    const { status, stderr } = await ask(...argv);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(service.received).toEqual([]);
  });
});

describe('milepost rebuild counters', () => {
  it('repeats the request until the rebuild is done', async () => {
    const steps = ['waiting', 'counting', 'deleting', 'done'];
    service.script = (_, request) =>
      json(request === 4 ? 200 : 202, { step: steps[request - 1], rows: request * 10 });
    const { status, stdout, stderr } = await ask('rebuild', 'counters');
    expect([status, stdout, stderr]).toEqual([0, 'counted 40 instances\n', '']);
    expect(service.received.map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array.from({ length: 4 }, () => 'POST /api/counts/rebuild'),
    );
  });

  it('prints the error from the service and exits with 1', async () => {
    service.script = () => problem(403, 'this request requires the operator role');
    const { status, stderr } = await ask('rebuild', 'counters');
    expect([status, stderr]).toEqual([1, 'error: this request requires the operator role (403)\n']);
  });
});
