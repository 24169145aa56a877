import { describe, expect, it } from 'vitest';
import { reached } from '../support/models/milestone-event.ts';
import { instancePath } from '../support/service/service.ts';
import { sharedService } from '../support/service/shared-service.ts';

interface Instance {
  readonly status: string;
  readonly milestones: { id: string; state: string; expectedBy: string }[];
  readonly timers: { name: string; dueAt: string }[];
  readonly state: { late?: Record<string, string> };
}
interface History {
  readonly entries: {
    event: { type: string; source: string; time: string; data: unknown };
    outcome: string;
    status: string;
  }[];
}

interface Overview {
  readonly models: { id: string; late: { instances: number } }[];
}
interface List {
  readonly instances: { transaction: string }[];
}

const service = sharedService();

const hour = 3_600_000;
const statesOf = ({ milestones }: Instance) => milestones.map(({ state }) => state);
const nameOf = ({ data }: { readonly data: unknown }) => (data as { name: string }).name;
const firings = ({ entries }: History) => entries.filter((e) => e.event.type === 'timer.fired');

// This test must run first, because the instances of later tests stay late. No other file creates late service
// requests.
describe('a late instance', () => {
  it('is listed and counted until it is no longer late', async () => {
    const path = instancePath('service-request', 'COUNTED');
    await service.post(reached('COUNTED', 'received', Date.now() - 36 * hour));
    const { instances } = await service.eventually<List>(
      '/api/instances?late=true&model=service-request',
      (list) => list.instances.length > 0,
    );
    expect(instances).toMatchObject([{ transaction: 'COUNTED' }]);
    const lateIn = ({ models }: Overview) =>
      models.find(({ id }) => id === 'service-request')!.late.instances;
    await service.eventually<Overview>('/api/overview', (body) => lateIn(body) === 1);
    await service.post(reached('COUNTED', 'closed', Date.now()));
    await service.eventually<{ done: boolean }>(path, ({ done }) => done);
    await service.eventually<List>(
      '/api/instances?late=true&model=service-request',
      (list) => list.instances.length === 0,
    );
    await service.eventually<Overview>('/api/overview', (body) => lateIn(body) === 0);
  });
});

describe('a milestone with an expected time', () => {
  it('is late after that time, and the history records the lateness', async () => {
    const path = instancePath('service-request', 'SLOW');
    const dueAt = Date.now() + 1_500;
    // The milestone `verified` is expected 24 hours after `received`.
    await service.post(reached('SLOW', 'received', dueAt - 24 * hour));
    const before = await service.eventually<Instance>(path, () => true);
    const names = before.timers.map(({ name }) => name);
    expect(names[0]).toBe('late/verified');
    expect(names).toEqual(
      expect.arrayContaining(['late/scheduled', 'late/fulfilled', 'late/closed']),
    );

    const { entries } = await service.eventually<History>(
      `${path}/history`,
      (history) => firings(history).length > 0,
    );
    const time = new Date(dueAt).toISOString();
    expect(entries).toHaveLength(2);
    expect(entries[1]).toMatchObject({
      event: {
        type: 'timer.fired',
        source: 'milepost:clock',
        time,
        data: { name: 'late/verified', dueAt: time },
      },
      outcome: 'applied',
      status: 'Received',
    });
    const after = await service.eventually<Instance>(path, () => true);
    expect(statesOf(after)).toEqual(['reached', 'late', 'pending', 'pending', 'pending']);
    expect(after.state.late).toEqual({ verified: time });

    await service.post(reached('SLOW', 'verified', dueAt + 60_000));
    const inTheEnd = await service.eventually<Instance>(path, (i) => i.status === 'Verified');
    expect(statesOf(inTheEnd)).toEqual(['reached', 'reached', 'current', 'pending', 'pending']);
    expect(inTheEnd.state.late).toBeUndefined();
  });

  it('is immediately late if its expected time is already in the past', async () => {
    const path = instancePath('service-request', 'OLD');
    const start = Date.now() - 30 * 24 * hour;
    await service.post(reached('OLD', 'received', start), reached('OLD', 'scheduled', start));
    const history = await service.eventually<History>(`${path}/history`, (found) =>
      firings(found).some(({ event }) => nameOf(event) === 'late/closed'),
    );
    const names = firings(history).map(({ event }) => nameOf(event));
    expect(names).toEqual(['late/verified', 'risk/fulfilled', 'late/fulfilled', 'late/closed']);
    const instance = await service.eventually<Instance>(path, () => true);
    expect(statesOf(instance)).toEqual(['reached', 'late', 'reached', 'late', 'late']);
    expect(instance.timers).toEqual([]);
  });

  it('is skipped and has no timer after the request is closed', async () => {
    const path = instancePath('service-request', 'DONE');
    const start = Date.now() - 24 * hour + 1_000;
    await service.post(reached('DONE', 'received', start), reached('DONE', 'closed', start));
    const instance = await service.eventually<Instance>(path, (i) => i.status === 'Closed');
    expect(instance.timers).toEqual([]);
    expect(statesOf(instance)).toEqual(['reached', 'skipped', 'skipped', 'skipped', 'reached']);
  });
});
