import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Customer } from '../../models/customer/model.ts';
import type { Stock } from '../../models/tickets/stock.ts';
import { instancePath } from '../support/service/service.ts';
import { sharedService } from '../support/service/shared-service.ts';

interface Instance<State> {
  readonly status: string;
  readonly state: State;
  readonly timers: readonly { name: string; dueAt: string }[];
}
interface History {
  readonly entries: {
    at: string;
    event: { type: string; time: string };
    outcome: string;
    state: Stock;
  }[];
}

const service = sharedService();
let now: number;
beforeEach(() => {
  now = Date.now();
});

const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();
const event = (transactionid: string, type: string, data: object, time = ago(0)) => ({
  specversion: '1.0',
  id: randomUUID(),
  source: 'box-office',
  modelid: 'tickets',
  transactionid,
  type,
  time,
  data,
});
const reserved = (sportsEvent: string, who: string, qty: number, secondsAgo: number) =>
  event(sportsEvent, 'tickets.reserved', { who, qty }, ago(secondsAgo));
describe('tickets on the running service', () => {
  it.each([
    { sportsEvent: 'Womens Javelin', jim: 50, amy: 31 },
    { sportsEvent: 'Womens Javelin, due soon', jim: 28, amy: 27 },
  ])('become available again if they are not paid for in time: $sportsEvent', async (story) => {
    const { sportsEvent, jim, amy } = story;
    await service.post(
      event(sportsEvent, 'event.created', { available: 500 }, ago(60)),
      reserved(sportsEvent, 'Fred', 5, 0),
      reserved(sportsEvent, 'Jim', 7, jim),
      reserved(sportsEvent, 'Amy', 19, amy),
    );
    const path = instancePath('tickets', sportsEvent);
    const { entries } = await service.eventually<History>(
      `${path}/history`,
      (history) => history.entries.length === 6,
    );
    const { state, status, timers } = (await service.ask<Instance<Stock>>(path)).body;
    expect(state).toEqual({
      name: sportsEvent,
      available: 495,
      reservations: { Fred: { qty: 5, ts: Math.floor(now / 1000) } },
      sold_to: [],
      pending: [],
    });
    expect(status).toBe('On sale');
    expect(timers).toEqual([{ name: 'reservation/Fred', dueAt: ago(-30) }]);
    expect(entries.map(({ event, outcome }) => `${event.type} ${outcome}`).toSorted()).toEqual([
      'event.created applied',
      ...Array.from({ length: 3 }, () => 'tickets.reserved applied'),
      ...Array.from({ length: 2 }, () => 'timer.fired applied'),
    ]);
    for (const { at, event, state } of entries) {
      // A timer never fires before it is due.
      expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(event.time));
      const held = Object.values(state.reservations).reduce((sum, { qty }) => sum + qty, 0);
      expect(state.available + held).toBe(500);
    }
  });

  it("become the customer's purchases after the payment", async () => {
    const sportsEvent = 'Mens Discus';
    await service.post(
      event(sportsEvent, 'event.created', { available: 500 }),
      reserved(sportsEvent, 'Fred', 5, 0),
      event(sportsEvent, 'payment.authorized', { who: 'Fred' }),
      event(sportsEvent, 'tickets.purchased', { who: 'Fred', qty: 2 }),
      event(sportsEvent, 'tickets.purchased', { who: 'Amy', qty: 494 }),
    );
    const { state, timers } = await service.eventually<Instance<Stock>>(
      instancePath('tickets', sportsEvent),
      ({ state }) => state.sold_to.length === 2 && state.pending.length === 0,
    );
    expect(state).toMatchObject({ available: 493, reservations: {} });
    expect(timers).toEqual([]);

    const { body } = await service.ask<Instance<Customer>>(instancePath('customer', 'Fred'));
    const listed = state.sold_to.map(({ order, qty }) => [order, { event: sportsEvent, qty }]);
    expect(body.state).toEqual({ username: 'Fred', purchases: Object.fromEntries(listed) });
    expect(state.sold_to.map(({ qty }) => qty)).toEqual([5, 2]);
    expect((await service.ask(instancePath('customer', 'Amy'))).status).toBe(404);
  });
});
