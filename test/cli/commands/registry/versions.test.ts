import { beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../run.ts';
import { service, startServicePerTest } from '../../service-per-test.ts';
import { timeless } from '../../timeless.ts';

startServicePerTest();
const ask = (...argv: readonly string[]) => run([...argv, '--api', service.url]);
const registeredAt = new Date(Date.now() - 3 * 86_400_000).toISOString();
const version = (number: number, model: number, current = false) => ({
  functionVersion: String(number),
  version: model,
  functionArn: `arn:aws:lambda:us-east-1:000000000000:function:orders:${number}`,
  registeredAt,
  current,
});
const current = () => service.data.versions?.orders?.find((each) => each.current)?.functionVersion;

beforeEach(() => {
  service.data.versions = {
    orders: [version(9, 3), version(7, 2, true), version(6, 2), version(5, 1)],
  };
});

describe('milepost versions', () => {
  it('prints the versions of a model and marks the current version', async () => {
    const { status, stdout } = await ask('versions', 'orders');
    expect(status).toBe(0);
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "function  model  registered
             9      3  YYYY-MM-DD hh:mm:ss (3d ago)
             7      2  YYYY-MM-DD hh:mm:ss (3d ago)  current
             6      2  YYYY-MM-DD hh:mm:ss (3d ago)
             5      1  YYYY-MM-DD hh:mm:ss (3d ago)
      "
    `);
  });

  it('reports a model without versions and a model that does not exist', async () => {
    service.data.versions = { orders: [] };
    expect(await ask('versions', 'orders')).toMatchObject({
      status: 0,
      stderr: 'The model has no published versions.\n',
    });
    expect(await ask('versions', 'nobody')).toMatchObject({
      status: 1,
      stderr: 'error: there is no model nobody (404)\n',
    });
    expect(await ask('versions')).toMatchObject({ status: 2 });
  });

  it("prints the API's JSON with --json", async () => {
    const { stdout } = await ask('versions', 'orders', '--json');
    expect(JSON.parse(stdout)).toEqual({ versions: service.data.versions?.orders });
  });
});

describe('milepost rollback', () => {
  it('switches to the version before the current version', async () => {
    expect(await ask('rollback', 'orders')).toMatchObject({
      status: 0,
      stdout: 'rolled back orders to function version 6 (model version 2)\n',
    });
    expect(current()).toBe('6');
  });

  it('switches to the given version, which can be a later version', async () => {
    expect(await ask('rollback', 'orders', '--to', '9')).toMatchObject({ status: 0 });
    expect(current()).toBe('9');
    expect(await ask('rollback', 'orders', '--to', '5', '--json')).toMatchObject({ status: 0 });
    expect(current()).toBe('5');
  });

  it('reports that there is no earlier version', async () => {
    await ask('rollback', 'orders', '--to', '5');
    expect(await ask('rollback', 'orders')).toMatchObject({
      status: 1,
      stdout: '',
      stderr:
        'error: orders has no version before the current one; ' +
        'to activate another version, use --to with a function version from milepost versions\n',
    });
    expect(await ask('rollback', 'orders', '--to', '4')).toMatchObject({ status: 1 });
    expect(current()).toBe('5');
  });

  it.each(['', '$LATEST', '0', 'v2', '1.0'])('rejects %j as a version', async (to) => {
    expect(await ask('rollback', 'orders', '--to', to)).toMatchObject({ status: 2 });
    expect(service.received).toEqual([]);
  });
});
