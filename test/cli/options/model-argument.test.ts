import { describe, expect, it } from 'vitest';
import { run } from '../run.ts';
import { service, startServicePerTest } from '../service-per-test.ts';

startServicePerTest();

async function urlsOf(...argv: readonly string[]): Promise<string[]> {
  service.received.length = 0;
  await run(['--api', service.url, ...argv]);
  return service.received.map(({ url }) => url);
}

describe('the model of a command', () => {
  it.each(['list', 'counts', 'sla', 'versions', 'rollback', 'export', 'replay'])(
    'can be an argument or an option: %s',
    async (command) => {
      const byArgument = await urlsOf(command, 'orders');
      expect(byArgument.join()).toContain('orders');
      expect(await urlsOf(command, '--model', 'orders')).toEqual(byArgument);
    },
  );

  it.each(['list', 'counts'])(
    'must be the same in the argument and in the option: %s',
    async (command) => {
      const argv = [command, 'orders', '--model', 'claims'];
      const { status, stderr } = await run(['--api', service.url, ...argv]);
      expect({ status, stderr }).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('expected one model; got orders and --model claims'),
      });
    },
  );
});
