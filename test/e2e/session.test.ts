import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../models/session/model.ts';
import { instancePath } from '../support/service/service.ts';
import { sharedService } from '../support/service/shared-service.ts';

interface History {
  readonly entries: { at: string; status: string; event: { type: string; time: string } }[];
}
interface Instance {
  readonly status: string;
  readonly done: boolean;
  readonly state: Session;
  readonly timers: readonly { name: string; dueAt: string }[];
}

const service = sharedService();
let now: number;
beforeAll(() => {
  now = Date.now();
});

const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();
const halfAnHour = 30 * 60;
const event = (transactionid: string, type: string, data: object, time = at(0)) => ({
  id: randomUUID(),
  source: 'shop',
  modelid: 'session',
  transactionid,
  type: `session.${type}`,
  time,
  data,
});
const sessionIs = (transaction: string, status: string) =>
  service.eventually<Instance>(
    instancePath('session', transaction),
    (instance) => instance.status === status,
  );

describe('sessions on the running service', () => {
  it('expire 30 minutes after the last event', async () => {
    const started = { token: 'K3T9QA', data: { cart: [] } };
    await service.post(
      event('left alone', 'started', started, at(3 - halfAnHour)),
      event('used again', 'started', started, at(-600)),
      event('used again', 'updated', { set: { cart: ['book'] } }),
    );
    expect(await sessionIs('left alone', 'Expired')).toMatchObject({
      done: true,
      timers: [],
      state: { token: 'K3T9QA', data: { cart: [] } },
    });
    const path = `${instancePath('session', 'left alone')}/history`;
    const { body } = await service.ask<History>(path);
    expect(body.entries).toMatchObject([
      { status: 'Open', event: { type: 'session.started' } },
      { status: 'Expired', event: { type: 'timer.fired', time: at(3) } },
    ]);
    expect(body.entries[1]!.at >= at(3)).toBe(true);
    const usedAgain = await service.eventually<Instance>(
      instancePath('session', 'used again'),
      ({ state }) => state.expires_at === at(halfAnHour),
    );
    expect(usedAgain).toMatchObject({
      status: 'Open',
      done: false,
      timers: [{ name: 'idle', dueAt: at(halfAnHour) }],
      state: { data: { cart: ['book'] } },
    });
    await service.post(event('used again', 'ended', {}));
    expect(await sessionIs('used again', 'Ended')).toMatchObject({ done: true, timers: [] });
  });
});
