import { describe, expect, it } from 'vitest';
import { instancePath } from '../support/service/service.ts';
import { sharedService } from '../support/service/shared-service.ts';

interface Instance {
  readonly version: number;
  readonly status: string;
  readonly startedAt: string | null;
  readonly milestones: readonly { readonly state: string; readonly at: string | null }[];
}
interface History {
  readonly entries: readonly { readonly event: { readonly time: string } }[];
}
interface List {
  readonly instances: readonly { readonly transaction: string }[];
}

const service = sharedService();

const post = (transactionid: string, type: string, more: object = {}) =>
  service.post({ id: type, source: 'tv', type, modelid: 'activation', transactionid, ...more });

/** Waits until a list contains a transaction, and returns its transactions. */
async function listed(query: string, awaited: string): Promise<string[]> {
  const has = ({ instances }: List) => instances.some((each) => each.transaction === awaited);
  const { instances } = await service.eventually<List>(`/api/instances?${query}`, has);
  return instances.map(({ transaction }) => transaction);
}

describe('an instance whose first event is rejected', () => {
  const path = instancePath('activation', 'REJECTED-1');

  it('is neither started nor listed until an event is applied', async () => {
    // Given an instance whose first event is rejected
    await post('REJECTED-1', 'entitlement.requested', { data: { service: 'ABC' } });

    // Then the instance has not started, no milestone is reached, and the history contains the rejected event
    const rejected = await service.eventually<Instance>(path, ({ version }) => version === 1);
    expect(rejected).toMatchObject({ status: 'New', startedAt: null });
    expect(rejected.milestones.map(({ state, at }) => [state, at])).toEqual([
      ['current', null],
      ['pending', null],
      ['pending', null],
    ]);
    const { body } = await service.ask(`${path}/history`);
    expect(body).toMatchObject({ entries: [{ version: 1, outcome: 'rejected' }] });

    // And no list contains the instance, although a later instance is listed
    await post('REJECTED-2', 'account.created');
    expect(await listed('q=REJECTED-', 'REJECTED-2')).toEqual(['REJECTED-2']);
    const ofStatus = 'model=activation&status=New&q=REJECTED-';
    expect(await listed(ofStatus, 'REJECTED-2')).toEqual(['REJECTED-2']);

    // When an event is applied
    const data = { service: 'ABC', token: 'T' };
    await post('REJECTED-1', 'activation.requested', { data });

    // Then the instance starts at the time of that event
    const started = await service.eventually<Instance>(path, ({ version }) => version === 2);
    const history = await service.ask<History>(`${path}/history`);
    const { time } = history.body.entries[1]!.event;
    expect(started).toMatchObject({ status: 'Waiting', startedAt: time, statusSince: time });
    expect(started.milestones.map(({ state }) => state)).toEqual(['reached', 'reached', 'current']);
    expect(await listed('q=REJECTED-', 'REJECTED-1')).toEqual(['REJECTED-1', 'REJECTED-2']);
  });
});
