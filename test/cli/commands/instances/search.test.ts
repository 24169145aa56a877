import { describe, expect, it } from 'vitest';
import { run } from '../../run.ts';
import { service, startServicePerTest } from '../../service-per-test.ts';
import { json } from '../../stub-service.ts';

startServicePerTest();

const ask = (...argv: string[]) => run(['--api', service.url, 'search', ...argv]);
const urls = () => service.received.map(({ url }) => url);

describe('milepost search', () => {
  const instance = (transaction: string) => ({
    model: 'activation',
    transaction,
    version: 1,
    status: 'Active',
    done: false,
    progress: null,
    updatedAt: '2026-01-01T00:00:00.000Z',
    parked: 0,
  });

  it('prints instances and dead letters', async () => {
    service.script = () =>
      json(200, {
        instances: [instance('ATV-1')],
        byKey: [instance('B')],
        deadLetters: [
          {
            id: '0mjtfpfk0-dfd8744da9d81190',
            reason: 'bad\u0007data',
            at: '2026-01-01T00:00:00.000Z',
            modelId: null,
            transactionId: null,
            eventId: 'ATV',
            parked: false,
          },
          {
            id: '0mjtfpfk1-dfd8744da9d81190',
            reason: 'oh',
            at: '2026-01-01T00:00:00.000Z',
            modelId: 'activation',
            transactionId: 'ATV-1',
            eventId: 'e2',
            parked: true,
          },
        ],
      });
    const { status, stdout } = await ask('A T');
    expect(status).toBe(0);
    expect(urls()).toEqual(['/api/search?q=A+T']);
    const lines = stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, -1));
    expect(lines).toEqual([
      ['kind', 'model', 'transaction', 'status', 'id', 'reason'],
      ['instance', 'activation', 'ATV-1', 'Active'],
      ['business key', 'activation', 'B', 'Active'],
      ['dead letter', '0mjtfpfk0-dfd8744da9d81190', 'bad\\x07data'],
      ['parked event', 'activation', 'ATV-1', '0mjtfpfk1-dfd8744da9d81190', 'oh'],
      [],
    ]);
  });

  it('says how to list all instances if the service returns the maximum number of instances', async () => {
    const found = { instances: Array.from({ length: 8 }, (_, at) => instance(`A T-${at}`)) };
    service.script = () => json(200, { ...found, byKey: [], deadLetters: [] });
    const { status, stderr } = await ask('A T');
    expect(status).toBe(0);
    expect(stderr).toBe(
      "There may be more than 8 instances; to list all: milepost list --q 'A T' --all\n",
    );
  });

  it('says how to list all instances with a business key if only the list of these instances reaches the maximum', async () => {
    const found = { byKey: Array.from({ length: 8 }, (_, at) => instance(`T-${at}`)) };
    service.script = () =>
      json(200, { ...found, instances: found.byKey.slice(1), deadLetters: [] });
    const { stderr } = await ask('customer:42');
    expect(stderr).toBe(
      'There may be more than 8 instances; to list all: milepost list --key customer:42 --all\n',
    );
  });

  it('with --event follows the cursors until the service finds the event', async () => {
    const event = { model: 'activation', transaction: 'ATV-1', version: 3, id: 'e9', source: 's' };
    const parts = [
      { events: [], itemsRead: 100, cursor: 'v1.aa' },
      { events: [], itemsRead: 100, cursor: 'v1.bb' },
      {
        events: [{ ...event, type: 'moved', time: '2026-01-01T00:00:00.000Z' }],
        itemsRead: 100,
        cursor: 'v1.cc',
      },
    ];
    service.script = () => json(200, parts[service.received.length - 1]);
    const { stdout } = await ask('--event', 'e9');
    expect(stdout).toMatch(/event +activation +ATV-1 +moved in version 3/);
    expect(urls()).toEqual([
      '/api/search/events?id=e9',
      '/api/search/events?id=e9&cursor=v1.aa',
      '/api/search/events?id=e9&cursor=v1.bb',
    ]);
  });

  it('reports that nothing was found', async () => {
    service.script = () => json(200, { instances: [], byKey: [], deadLetters: [] });
    expect((await ask('x')).stderr).toBe(
      'Nothing found. Ids and business keys are case-sensitive. Of the dead letters, only the newest 100 are ' +
        'searched by event or transaction id; to list all: milepost dead-letters --all\n',
    );
    service.script = () => json(200, { events: [], itemsRead: 5 });
    expect((await ask('--event', 'x')).stderr).toBe(
      'Nothing found. Ids and business keys are case-sensitive.\n',
    );
  });

  it('rejects an empty search text', async () => {
    expect((await ask('')).status).toBe(2);
  });
});
