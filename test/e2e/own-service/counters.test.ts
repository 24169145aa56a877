import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../cli/run.ts';
import { deployedFolder } from '../../support/service/deployed-folder.ts';
import { Service } from '../../support/service/service.ts';

/** The time limit for starting the service and for a rebuild, in milliseconds. */
const timeLimit = 120_000;

interface Counts {
  readonly counts: readonly { readonly value: string; readonly instances: number }[];
}
interface Overview {
  readonly models: readonly {
    readonly id: string;
    readonly statuses: readonly { readonly status: string; readonly instances: number }[];
  }[];
}

let service: Service;
let data: string;
beforeAll(async () => {
  data = await deployedFolder();
  service = await Service.start({ MILEPOST_DATA: data });
}, timeLimit);
afterAll(async () => void (await service.stop()));

const created = (n: number) => ({
  id: `c${n}`,
  type: 'event.created',
  modelid: 'tickets',
  transactionid: `EVENT-${n}`,
  data: { available: 1 },
});
const sold = (n: number) => ({
  id: `s${n}`,
  type: 'tickets.purchased',
  modelid: 'tickets',
  transactionid: `EVENT-${n}`,
  data: { who: 'Fred', qty: 1 },
});
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index);

const today = () => new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);

/** Waits for the exact counts of a model by status. */
async function counted(wanted: Readonly<Record<string, number>>): Promise<void> {
  await service.eventually<Counts>('/api/counts?model=tickets', ({ counts }) =>
    counts.every(({ value, instances }) => instances === (wanted[value] ?? 0)),
  );
  await service.eventually<Overview>('/api/overview', ({ models }) =>
    models
      .find(({ id }) => id === 'tickets')!
      .statuses.every(({ status, instances }) => instances === (wanted[status] ?? 0)),
  );
}

it(
  'the counts of a model match its instances, before and after a restart',
  async () => {
    const start = today();
    await service.post(...range(0, 40).map(created));
    await counted({ 'On sale': 40 });
    await service.post(...range(0, 10).map(sold));
    await counted({ 'On sale': 30, 'Sold out': 10 });
    const { counts } = await service.eventually<Counts>(
      '/api/counts?model=tickets&by=day',
      () => true,
    );
    // The test can run past midnight.
    for (const { value } of counts) expect([start, today()]).toContain(value);
    expect(counts.reduce((sum, { instances }) => sum + instances, 0)).toBe(40);

    // Stop the service before it has counted the latest changes. The service must count these changes after the
    // restart.
    await service.post(...range(10, 15).map(sold));
    await service.stop('SIGKILL');
    service = await Service.start({ MILEPOST_DATA: data });
    await counted({ 'On sale': 25, 'Sold out': 15 });
  },
  timeLimit,
);

it(
  'a rebuild of the counters while events arrive results in exact counts',
  async () => {
    const rebuild = run(['--api', service.ready.api, '--json', 'rebuild', 'counters']);
    let isOver = false;
    const over = rebuild.finally(() => {
      isOver = true;
    });
    let last = 40;
    for (; !isOver; last += 5) {
      await service.post(...range(last, last + 5).map(created));
      await service.post(...range(last, last + 5).map(sold));
    }
    const { status, stdout } = await over;
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ step: 'done' });
    await counted({ 'On sale': 25, 'Sold out': last - 25 });
    await service.post(created(last));
    await counted({ 'On sale': 26, 'Sold out': last - 25 });
  },
  timeLimit,
);
